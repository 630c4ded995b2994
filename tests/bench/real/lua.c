/* Lua, with a few of the programs that interpreters are compared with. */

#include "tests/bench/real/real.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>

static const struct
{
  const char *name;
  const char *script;
} scripts[] = {
  { "fib", "local function fib (n) return n < 2 and n or fib (n - 1) + fib (n - 2) end return fib (33)" },
  { "nbody",
    "local bodies = {} for i = 1, 5 do bodies[i] = { x = i, y = 2 * i, z = 3 - i, vx = 1 / i, vy = 0.1, vz = i / 9, m = i } end\n"
    "for step = 1, 90000 do for i = 1, 5 do local b = bodies[i] for j = i + 1, 5 do local c = bodies[j]\n"
    "local dx, dy, dz = b.x - c.x, b.y - c.y, b.z - c.z local d = dx * dx + dy * dy + dz * dz + 0.01\n"
    "local mag = 0.001 / (d * d ^ 0.5) b.vx = b.vx - dx * c.m * mag b.vy = b.vy - dy * c.m * mag b.vz = b.vz - dz * c.m * mag\n"
    "c.vx = c.vx + dx * b.m * mag c.vy = c.vy + dy * b.m * mag c.vz = c.vz + dz * b.m * mag end end\n"
    "for i = 1, 5 do local b = bodies[i] b.x = b.x + 0.001 * b.vx b.y = b.y + 0.001 * b.vy b.z = b.z + 0.001 * b.vz end end\n"
    "return bodies[1].x" },
  { "spectral",
    "local n = 220 local function a (i, j) return 1 / ((i + j) * (i + j + 1) / 2 + i + 1) end\n"
    "local function times (v, w, transposed) for i = 0, n - 1 do local sum = 0 for j = 0, n - 1 do\n"
    "sum = sum + (transposed and a (j, i) or a (i, j)) * v[j] end w[i] = sum end end\n"
    "local u, v, t = {}, {}, {} for i = 0, n - 1 do u[i] = 1 end\n"
    "for i = 1, 20 do times (u, t) times (t, v, true) times (v, t) times (t, u, true) end return u[0] / v[0]" },
  { "strings",
    "local parts = {} for i = 1, 120000 do parts[#parts + 1] = string.format ('%d:%s', i, ('x'):rep (i % 13)) end\n"
    "local text = table.concat (parts, ',') local words = 0\n"
    "for key, value in text:gmatch ('(%d+):(x*)') do words = words + #key + #value end\n"
    "text = text:gsub ('x+', string.upper):reverse () return words + #text + (text:find ('1:1', 1, true) or 0)" },
  { "tables",
    "local total = 0 for round = 1, 12 do local t = {} for i = 1, 40000 do t[i] = (i * 7919) % 40009 end\n"
    "table.sort (t) local by = {} for i = 1, #t do by['k' .. t[i] % 1000] = (by['k' .. t[i] % 1000] or 0) + i end\n"
    "for k, v in pairs (by) do total = total + v end end return total" },
};

int
main (int argc, char **argv)
{
  lua_State *lua = luaL_newstate ();

  luaL_openlibs (lua);
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
    if (argc == 2 && strcmp (argv[1], scripts[i].name) == 0)
      {
        must (luaL_dostring (lua, scripts[i].script) == LUA_OK, argv[1]);
        printf ("%s\n", luaL_tolstring (lua, -1, NULL));
        return 0;
      }
  must (0, "choice of a script");
}
