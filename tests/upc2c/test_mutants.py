"""Planners that were made wrong in one place: a unit test of the planner must fail with each."""

import glob
import os
import shutil

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
    ("element", "type_is_pts (a->type)", "false"),
    ("element", "type_is_pts (b->type)", "false"),
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
    ("sure", "!t && switches.threads && ", "false && "),
    ("sure", "|| (root_of (l).object && enclosing_row (l))", ""),
    ("sure", "&& !any_in_stmt (s, is_statement_expr, NULL)", ""),
    ("sure", "may_have_two_forms (loop) &&", ""),
    ("sure", "is_outer_name (root, around) && ", ""),
    ("sure", "&& is_loop_invariant (root, around)", ""),
    ("sure", "!(pointer && is_power (switches.threads))", "true"),
    ("sure", "pointer && is_power (switches.threads)", "pointer"),
    ("sure", "s->pointer->decl == root->decl", "s->pointer"),
    ("sure", "else if (!switches.threads)", "else"),
    ("unrolled", "e->kind == EXPR_CALL || ", ""),
    ("unrolled", "++*(int *) count > MOST_EXPRESSIONS", "false"),
    ("unrolled", "&& has_long_strips (around)", ""),
    ("unrolled", "may_have_two_forms (around) &&", ""),
    ("unrolled", "&& (switches.threads & (switches.threads - 1)) == 0", ""),
    ("unrolled", "(l->plan->sure || is_quick (l)) &&", ""),
    ("unrolled", "l->plan->sure || is_quick (l)", "l->plan->sure"),
    ("plan", "if (!is_load)\n            find_unrolled", "find_unrolled"),
    ("carried", "&& at.is_early", ""),
    ("plan", "|| has_own_index (l, around)", ""),
    ("plan", "&& !is_outer_name (e, loop)", ""),
    ("plan", "if (pointer_of (l)->kind != EXPR_DECAY)\n        break;", "break;"),
    ("update", "if (e->kind == EXPR_STEP)\n    return true;", ""),
    ("update", "e->b->is_constant || ", ""),
    ("update", "|| type_is_unsigned (e->a->type)", ""),
    ("update", "|| !type_is_integer (e->b->type)", ""),
    ("update", "return e->op == '&' ||", "return e->op == '*' || e->op == '&' ||"),
    ("update", "&& type_is_integer (l->type)", ""),
    ("update", "&& l->type->kind >= TYPE_INT", ""),
    ("update", "&& !reference_to (loop, l)", ""),
    ("update", "is_forall (loop) ||", ""),
    ("update", "&& may_overlap (root_of_name (element_of (l)), root_of_name (search->l))", ""),
    ("update", "&& may_alias (search->l->type, l->type)", ""),
    ("update", "e == search->update ||", ""),
    ("update", "e->kind != EXPR_LOAD && ", ""),
    ("independence", "&& is_updated_alone (update, analysis->loop)", ""),
    ("independence", "if (analysis.update_count > 0)\n    loop->is_for_vectors = false;", ""),
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
    ("lanes", "return !is_math_call (e);", "return !is_pure_call (e);"),
    ("lanes", "case STMT_IF:\n      return false;", "case STMT_IF:\n    case STMT_BREAK:\n      return false;"),
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
    ("lanes", "strip_parens (s->step)->kind != EXPR_COMMA\n         && !(s->decl", "!(s->decl"),
    ("lanes", "&& !(s->declaration && s->declaration->decls->next)", ""),
    ("lanes", "|| any_stmt (body, leaves_variable, body)", ""),
    ("lanes", "!(find_header (&loop) && loop.induction == d)\n             &&", ""),
    ("lanes", "(any_in_stmt (&header, is_name_of, d) || names_outside (s->then, d))", "names_outside (s->then, d)"),
    ("pure", "|| !is_math_function (name->decl->name->text)", ""),
    ("copied", "is_in_small_blocks (l) && !find_copied (l, loop)", "false"),
    ("middle", "enters[(block - r->shift) % block] = true;", ";"),
    ("middle", "(block - r->shift) % block", "r->shift"),
    ("middle", "r->is_in_phase = !is_pointer (r) && loop->position == POSITION_ELEMENT;", "r->is_in_phase = true;"),
    ("middle", "block_of (r->type) != loop->block ||", ""),
    ("middle", "2 * loop->middle_count < loop->block", "false"),
    ("middle", "loop->middle_count < LEAST_MIDDLE", "false"),
    ("middle", "phase == loop->block || enters[phase]", "enters[phase]"),
    ("residue", "(!find_middle (loop) && loop->block > MOST_BLOCK)", "false"),
    ("hoisted", "target->kind == EXPR_NAME && is_unaddressed (target->decl)", "target->kind == EXPR_NAME"),
    ("hoisted", "target->kind == EXPR_NAME && is_unaddressed (target->decl)", "false"),
    ("hoisted", "type_is_shared (target->type) && is_private_name (l)", "false"),
    ("hoisted", "type_is_shared (target->type) && is_private_name (l)", "type_is_shared (target->type)"),
    ("hoisted", "&& may_alias (target->type, l->type)", ""),
    ("hoisted", "&& may_alias (target->type, l->type)", "&& false"),
    ("hoisted", "(quals_of (lvalue->type) & (QUAL_VOLATILE | QUAL_ATOMIC))", "false"),
    ("hoisted", "any_in_expr (s->step, may_store, lvalue)", "false"),
    ("hoisted", "!is_outer_name (e, search->loop)\n                 ||", ""),
    ("hoisted", "&& !is_loop_invariant (e, search->loop)", "&& false"),
    ("hoisted", "      return may_change (strip_parens (e->a), search->stmt);", "      return false;"),
    ("hoisted", "&& may_change (e, search->stmt)", "&& false"),
    ("hoisted", "while (h && !are_same (h->value, value))", "while (h)"),
    ("hoisted", "return are_same (pointer_of (a), pointer_of (b)) && are_same (index_of (a), index_of (b));", "return true;"),
    ("hoisted", "return a->member == b->member &&", "return"),
    ("hoisted", "!h && !search->only_known &&", "!h &&"),
    ("hoisted", "&& pointer->kind != EXPR_NAME", ""),
    ("hoisted", "&& !any_in_expr (s->expr, is_effect, NULL)", ""),
    ("hoisted", "|| switches.race", ""),
    ("hoisted", "|| !is_straight (s->then)", ""),
    ("hoisted", "|| has_order (s->then)", ""),
    ("hoisted", "|| may_order (s->expr)", ""),
    ("element", "block_of (l->type) <= MOST_BLOCK", "true"),
    ("reference", "if (loop->is_by_copies && is_in_small_blocks (l))", "if (false)"),
    ("plan", "  if (loop->in_order->in_order)\n    plan_in_order (loop->in_order, place, body);\n", ""),
]


COMPILE = ["gcc", "-O0", "-w", "-D_GNU_SOURCE", f"-I{ROOT}", f"-I{ROOT}/include", "-fPIC"]


def sources(pattern):
    return sorted(glob.glob(os.path.join(ROOT, pattern)))


@pytest.fixture
def planner(upct):
    """upc2c's files as a library, and the unit tests of the planner, which are linked with it: what is loaded
    before the library takes the place of the same functions in it."""
    def make(folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        library = os.path.join(folder, "libupc2c.so")
        upct.check_output([*COMPILE, "-shared", *sources("tools/upc2c/*/*.c"), *sources("tools/common/*.c"), "-o", library])
        for source in sources("tests/unit/upc2c/test_*.c"):
            program = os.path.join(folder, os.path.basename(source)[:-2])
            upct.check_output([*COMPILE, source, library, "-lcmocka", "-Wl,-rpath,$ORIGIN", "-o", program])
    return upct.build_once("planner", make)


def is_found(upct, planner, name, piece, instead):
    """Does a unit test fail with INSTEAD in place of PIECE?"""
    with open(os.path.join(ROOT, PLAN, name + ".c"), encoding="utf-8") as file:
        text = file.read()
    assert piece in text, piece
    upct.check_output([*COMPILE, "-shared", f"-I{ROOT}/{PLAN}", upct.write("mutant.c", text.replace(piece, instead, 1)), "-o", "mutant.so"])
    return not all(passes(upct, test, LD_PRELOAD=upct.path("mutant.so")) for test in glob.glob(f"{planner}/test_*"))


def passes(upct, test, **environment):
    return upct.run([test], **environment).returncode == 0


@pytest.mark.no_sanitizers("its mistakes are in the code that upc2c writes")
@pytest.mark.slow
@pytest.mark.parametrize("file", sorted({name for name, *_ in MUTANTS}))
def test_each_mutant_of_the_planner_is_found(upct, planner, file):
    assert all([passes(upct, test) for test in glob.glob(f"{planner}/test_*")])
    for name, piece, instead in MUTANTS:
        if name == file:
            assert is_found(upct, planner, name, piece, instead), f"{name}: {instead} for {piece}"
