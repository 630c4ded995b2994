"""Planners that were made wrong in one place: a unit test of the planner must fail with each."""

import glob
import os

import pytest

from support import ROOT

pytestmark = pytest.mark.host_only("upc2c is a program of the host")

PLAN = "tools/upc2c/plan"

# File, a piece of it, and what stands there instead.
MUTANTS = [
    ("independence", "return apart % stride != 0", "return true"),
    ("independence", "return apart % stride != 0", "return false"),
    ("independence", "> (last > first ? last - first : first - last)", ">= (last > first ? last - first : first - last)"),
    ("independence", "> (last > first ? last - first : first - last)", "> 1 + (last > first ? last - first : first - last)"),
    ("independence", "apart / stride * loop->step_value", "apart / stride"),
    ("independence", "apart / stride * loop->step_value", "apart"),
    ("independence", "stride = element_factor (root_of_name (a), &at_a, loop) * loop->step_value;", "stride = loop->step_value;"),
    ("independence", "stride = element_factor (root_of_name (a), &at_a, loop) * loop->step_value;", "stride = element_factor (root_of_name (a), &at_a, loop);"),
    ("independence", "if (apart == 0)\n    return true;", "if (apart == 0)\n    return false;"),
    ("independence", "at_a.wrap != WRAPS_NEVER || at_b.wrap != WRAPS_NEVER", "false"),
    ("independence", "apart = -apart;", ";"),
    ("independence", "stride = -stride;", ";"),
    ("independence", "type_is_pts (a->type)", "false"),
    ("independence", "type_is_pts (b->type)", "false"),
    ("affine", "difference.count == 0", "true"),
    ("affine", "add_scaled (&difference, a, -1);", "add_scaled (&difference, a, 1);"),
    ("affine", "add_scaled (f, b, e->op == '-' ? -1 : 1);", "add_scaled (f, b, 1);"),
    ("affine", "f->wrap = is_down ? WRAPS_DOWN : WRAPS_UP;", ";"),
    ("strips", "r->is_in_phase = apart % loop->block == 0;", "r->is_in_phase = true;"),
    ("element", "return u.count != 0;", "return false;"),
    ("independence", "|| m.a->root->decl == m.b->root->decl)", ")"),
    ("independence", "(known->a == m.a && known->b == m.b) ||", ""),
    ("independence", "|| (known->a == m.b && known->b == m.a)", ""),
    ("carried", "apart == step * element_factor", "true || apart == step * element_factor"),
    ("carried", "&& !any_in_stmt (body, may_store, search)", ""),
    ("carried", "&& is_straight (body)", ""),
    ("carried", "&& !has_order (body)", ""),
    ("carried", "loop->is_down ? -loop->step_value : loop->step_value", "loop->step_value"),
    ("copied", "!is_private_name (target) &&", ""),
    ("copied", "!is_private_name (target) && may_alias (target->type, search->l->type)", "false"),
    ("copied", "root->decl->name == search->root->decl->name", "false"),
    ("copied", "return !note_stored (search, root, l);", "return false;"),
    ("copied", "&& !any_stmt (s->then, is_asm_or_barrier, NULL)", ""),
    ("copied", "!has_order (s->then)", "true"),
    ("copied", "is_good_root (search->root, loop)", "true"),
    ("copied", "|| at.constant < 0", ""),
    ("crossing", "*apart % block == 0", "true"),
    ("crossing", "block == block_of (b->type) &&", ""),
    ("crossing", "r->is_beside = apart == 0", "r->is_beside = true"),
    ("crossing", "a->root->decl == b->root->decl", "true"),
    ("crossing", "r->at.wrap != WRAPS_NEVER", "false"),
    ("crossing", "block_of (r->type) % step_of (r) == 0", "true"),
    ("crossing", "|| may_wrap_around (loop)", ""),
    ("residue", "!loop->is_independent || !has_constant_strides", "!has_constant_strides"),
    ("residue", "loop->block > MOST_BLOCK", "false"),
    ("residue", "|| !knows_as_much (loop, &plain))\n    *loop = plain;\n  else\n    keep_in_order (loop, &plain);\n}\n\nbool", ")\n    *loop = plain;\n  else\n    keep_in_order (loop, &plain);\n}\n\nbool"),
    ("pieces", "!loop->is_independent ||", ""),
    ("pieces", "apart.constant % (int64_t) block == 0", "true"),
    ("pieces", "add_scaled (&apart, &a->at, -1);", ""),
    ("pieces", "fixed_divisor (&apart, loop) % block != 0", "false"),
    ("pieces", "is_equal && have_equal_roots (a, b)", "is_equal"),
    ("pieces", "return a->root->decl == b->root->decl;", "return false;"),
    ("pieces", "|| block_of (r->type) != block ||", "||"),
    ("pieces", "|| is_short (loop, block)", ""),
    ("pieces", "goes_along_rows (loop) ||", ""),
    ("pieces", "block > MOST_BLOCK", "false"),
    ("pieces", "|| r->stride != 1", ""),
    ("pieces", "loop->needs_induction &&", ""),
    ("pieces", "(has_others || block > MOST_DIVISOR)", "block > 999"),
    ("pieces", "!has_others || block >= LEAST_BLOCK", "true"),
    ("window", "!switches.network", "true"),
    ("window", "!tells_of_strips (loop)", "true"),
    ("window", "does_all (loop->stmt->then)", "true"),
    ("window", "< least_in_windows (loop) - 1", "< least_in_windows (loop)"),
    ("window", "loop->is_down ? first - last : last - first", "last - first"),
    ("window", "r->is_read |= e->kind != EXPR_ASSIGN;", "r->is_read |= e->kind == EXPR_LOAD;"),
    ("window", "r->is_written |= is_store (e);", ";"),
    ("window", "w->is_written || ", ""),
    ("window", "w->first->root->decl != r->root->decl", "false"),
    ("window", "highest - lowest <= MOST_APART", "highest - lowest < MOST_APART"),
    ("window", "w->first = r;\n      w->farthest", "w->farthest"),
    ("window", "w->farthest = apart;", ";"),
    ("window", "r->is_written ? NULL : find_shared_window (r, loop)", "find_shared_window (r, loop)"),
    ("window", "add_scaled (&apart, &a->at, -1);", ""),
    ("window", "fixed_divisor (&apart, loop) % (uint64_t) block == 0 &&", ""),
    ("window", "|| block < LEAST_BLOCK", ""),
    ("window", "r->in_window = apart;", ";"),
    ("window", "!loop->is_independent ||", ""),
    ("window", "|| is_short (loop)", ""),
    ("window", "is_short (loop)\n      || any_in_stmt (loop->stmt->then, note_use, loop)", "is_short (loop)"),
    ("window", "!r->row &&", ""),
    ("independence", "!loop->residues && !loop->is_windowed", "!loop->residues"),
    ("reference", "loop->is_windowed && block_of (r->type) > 0", "loop->is_windowed"),
    ("strips", "!loop->may_be_flat && has_other_phases (loop)", "!loop->may_be_flat"),
    ("tabled", "array && t->array->decl == array->decl", "array"),
    ("tabled", "block_of (l->type) < 2", "false"),
    ("residue", "|| !knows_as_much (loop, &plain)", ""),
    ("residue", "!loop->is_independent ||", ""),
    ("residue", "search.modulus > MOST_BLOCK || is_short (loop, search.modulus)", "search.modulus > MOST_BLOCK"),
    ("residue", "block / common_divisor", "block; (void) common_divisor"),
    ("residue", "(search->loop->step_value % (int64_t) block)", "1"),
    ("reference", "*stride * loop->residues", "*stride"),
    ("reference", "|| !r->at.is_early)", ")"),
    ("reference", "r->l->kind != EXPR_NAME && ", ""),
    ("element", "root->decl == loop->induction ? 1 : ", ""),
    ("element", "is_induction (l, loop) && is_induction (loop->affinity, loop)", "is_induction (l, loop)"),
    ("strips", "(!is_by_pointer (loop) || loop->is_by_one)", "true"),
    ("affinity", "loop->step_value <= loop->block / MIN_STRIP /", "true || loop->step_value <= loop->block / MIN_STRIP /"),
    ("reference", "first >= 0 && first < count && last >= 0 && last < count", "true"),
    ("reference", "(r->stays || is_pointer (r)) &&", "r->stays &&"),
    ("reduction", "loop->residues != 1 ||", ""),
    ("reduction", "|| e->op == '^'", "|| e->op == '*'"),
    ("reduction", "type->kind >= TYPE_INT", "type->kind >= TYPE_SHORT"),
    ("reduction", "type->kind <= TYPE_UINT128", "type->kind <= TYPE_DOUBLE"),
    ("reduction", "&& !(quals_of (type) & (QUAL_VOLATILE | QUAL_ATOMIC))", ""),
    ("reduction", "&& !name->decl->has_static_duration", ""),
    ("reduction", "&& !name->decl->has_address_taken", ""),
    ("reduction", "&& (!e->b || type_is_integer (e->b->type))", ""),
    ("reduction", "any_in_stmt (loop->stmt->then, count_use, &uses);", "uses.count = 1;"),
    ("independence", "loop->is_for_vectors = false;", ""),
    ("sure", "while (s && s->tabled != t)", "while (s && s->tabled)"),
    ("sure", "(!t && switches.threads)", "false"),
    ("sure", "|| (root_of (l).object && enclosing_row (l))", ""),
    ("sure", "&& !any_in_stmt (s, is_statement_expr, NULL)", ""),
    ("sure", "may_have_two_forms (loop) &&", ""),
    ("called", "straight_count <= MOST_IN_LINE", "straight_count < MOST_IN_LINE"),
    ("called", "|| function->is_inline", ""),
    ("called", "|| any_stmt (function->body, is_label, NULL)", ""),
    ("plan", "  place.is_repeated = true;\n", ""),
    ("plan", "place.is_in_loop = place.is_repeated = true", "place.is_in_loop = true"),
    ("plan", "body.is_in_loop = body.is_repeated = true", "body.is_in_loop = true"),
    ("lanes", "|| at.wrap != WRAPS_NEVER)", ")"),
    ("lanes", "return factor == 1 ? USE_COLUMN", "return factor ? USE_COLUMN"),
    ("lanes", "if (is_in_rest || !find_affine", "if (!find_affine"),
    ("lanes", "return is_in_rest ? USE_ROW : USE_NONE;", "return USE_NONE;"),
    ("lanes", "count.value < search->lanes->most", "false"),
    ("lanes", "if (!root || !is_plain_access (l))", "if (!root)"),
    ("lanes", "use == USE_COLUMN && use_of (l, search->inner) == USE_ROW", "use == USE_COLUMN"),
    ("lanes", "return use == USE_NONE || use == USE_COLUMN;", "return true;"),
    ("lanes", "!d->has_static_duration && !d->has_address_taken", "!d->has_address_taken"),
    ("lanes", "!d->has_static_duration && !d->has_address_taken", "!d->has_static_duration"),
    ("lanes", "&& type_size (d->type).value <= 8", ""),
    ("lanes", "|| lanes->scalar_count == MOST_SCALARS)", ")"),
    ("lanes", "|| use_of (target, search->loop) != USE_COLUMN", ""),
    ("lanes", "  limit_lanes (target, search);\n", ""),
    ("lanes", "(quals_of (e->decl->type) & (QUAL_VOLATILE | QUAL_ATOMIC))", "false"),
    ("lanes", "return !is_pure_call (e);", "return false;"),
    ("lanes", "case STMT_IF:\n    case STMT_DECLARATION:", "case STMT_IF:\n    case STMT_BREAK:\n    case STMT_DECLARATION:"),
    ("lanes", "&& !has_name (e, search->loop->induction)", ""),
    ("lanes", "|| !is_good_in_header (first_value (inner), search)", ""),
    ("lanes", "|| !is_good_in_header (inner->bound, search)", ""),
    ("lane_scalar", "&& !any_in_expr (e->b, is_name_of, d)", ""),
    ("lanes", "if (!is_set_first (s->decl, body))", "if (false)"),
    ("lanes", "if (root->decl != other->decl && (type_is_pts", "if (false && (type_is_pts"),
    ("lanes", "|| !find_apart (&at, &at_stored, &apart) || apart != 0", ""),
    ("lanes", "!search->gains", "false"),
    ("lanes", "search->lanes->most < LEAST_LANES ||", ""),
    ("lanes", "any_in_stmt (body, meets_store, search)", "false"),
    ("lanes", "|| any_stmt (body, has_scalar_in_header, search->lanes)", ""),
    ("lanes", "&& moves_by_one (loop)", ""),
    ("lanes", "return search->store_count > 0;", "return true;"),
    ("lanes", "switches.network ||", ""),
    ("lanes", "|| switches.race", ""),
    ("copied", "is_in_small_blocks (l) && !find_copied (l, loop)", "false"),
    ("element", "block_of (l->type) <= MOST_BLOCK", "true"),
    ("reference", "if (loop->is_by_copies && is_in_small_blocks (l))", "if (false)"),
    ("plan", "  if (loop->in_order->in_order)\n    plan_in_order (loop->in_order, place, body);\n", ""),
]


@pytest.mark.no_sanitizers("its mistakes are in the code that upc2c writes")
@pytest.mark.slow
def test_each_mutant_of_the_planner_is_found(upct):
    def compile_file(source, target):
        upct.check_output(["gcc", "-O0", "-w", "-D_GNU_SOURCE", f"-I{ROOT}", f"-I{ROOT}/include", "-c", source, "-o", upct.path(target)])

    def passes(test):
        objects = glob.glob(upct.path("tools-*.o"))
        upct.check_output(["gcc", upct.path(test), *objects, "-lcmocka", "-o", upct.path("ask")])
        return upct.run([upct.path("ask")]).returncode == 0

    for pattern in "tools/upc2c/*/*.c", "tools/common/*.c", "tests/unit/upc2c/test_*.c":
        for source in glob.glob(os.path.join(ROOT, pattern)):
            compile_file(source, os.path.relpath(source, ROOT).replace("/", "-") + ".o")
    tests = [os.path.basename(path) for path in glob.glob(upct.path("tests-*.o"))]
    assert all([passes(test) for test in tests])
    for name, piece, instead in MUTANTS:
        with open(os.path.join(ROOT, PLAN, name + ".c"), encoding="utf-8") as file:
            text = file.read()
        assert piece in text, piece
        target = f"{PLAN}/{name}.c".replace("/", "-") + ".o"
        compile_file(upct.write("mutant.c", text.replace(piece, instead, 1)), target)
        assert not all(passes(test) for test in tests), f"{name}: {instead} for {piece}"
        compile_file(os.path.join(ROOT, PLAN, name + ".c"), target)
