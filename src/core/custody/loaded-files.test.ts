import { describe, expect, test } from 'vitest'
import { loadedBy } from './loaded-files.ts'

describe('a source loads', () => {
  test.each([
    ['check.mjs', "import { total } from './main.mjs'\n", 'main.mjs'],
    ['test/check.mjs', "const { total } = await import('../src/server.js')\n", 'src/server.ts'],
    ['check.cjs', "require('./bin/total')\n", 'bin/total.js'],
    ['check.py', 'from main import total\n', 'main.py'],
    ['tests/check.py', 'from shop import cli\n', 'src/shop/cli.py'],
    ['check.py', 'import shop.cli as c\n', 'shop/cli.py'],
    ['check.rb', 'require_relative "bin/total"\n', 'bin/total.rb'],
    ['check.php', '<?php\nrequire __DIR__ . "/server.php";\n', 'server.php'],
    ['check.pl', 'use Shop::Main;\n', 'lib/Shop/Main.pm'],
    ['check.sh', '. "$ROOT/run.sh"\n', 'run.sh'],
    ['src/Check.java', 'class Check { int x = Server.total(); }\n', 'src/Server.java'],
    ['src/lib.rs', 'pub mod cli;\n', 'src/cli.rs'],
    ['check.c', '#include "main.c"\n', 'main.c'],
  ])('of %s: %j', (path, text, loaded) => {
    expect(loadedBy(path, text)).toContain(loaded)
  })

  test.each([
    ['check.mjs', "import assert from 'node:assert'\nexecFileSync('node', ['./cli.mjs'])\n"],
    ['check.sh', 'node cli.js\n'],
    ['check.mjs', "import '../../elsewhere.js'\n"],
    ['README.md', "import './main.mjs'\n"],
  ])('nothing of the workspace in %s: %j', (path, text) => {
    expect(loadedBy(path, text)).toEqual([])
  })
})
