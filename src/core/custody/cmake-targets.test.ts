import { describe, expect, test } from 'vitest'
import { withSteeringOf } from './steering.ts'

const BASE = `cmake_minimum_required(VERSION 3.16)
project(cart C)
enable_testing()
set(SOURCES cart.c) # the library
add_library(cart \${SOURCES})
add_executable(test_cart test_cart.c)
target_link_libraries(test_cart cart)
add_test(NAME cart COMMAND test_cart)
set_tests_properties(cart PROPERTIES TIMEOUT 10)
`
const end = (lines: string) => `${BASE}${lines}\n`
const swap = (from: string, to: string) => BASE.replace(from, to)
const joined = (now: string) => withSteeringOf('lib/CMakeLists.txt', BASE, now)

describe('builds the base’s tests with what a CMake file adds', () => {
  test.each([
    ['a source in a list', swap('set(SOURCES cart.c)', 'set(SOURCES cart.c src/tabs.c)')],
    ['a source of a target', swap('test_cart.c)', `test_cart.c \${CMAKE_CURRENT_SOURCE_DIR}/helper.c)`)],
    [
      'a library linked to an existing target',
      swap('add_executable(test_cart', '\nadd_library(tabs STATIC tabs.c)\nadd_executable(test_cart').replace(
        'target_link_libraries(test_cart cart)',
        'target_link_libraries(test_cart cart tabs)',
      ),
    ],
    [
      'a program with header folders',
      end('\nadd_executable(shop shop.c)\n\ntarget_include_directories(shop PUBLIC include)'),
    ],
    ['a program at the end', end('\nadd_executable(shop shop.c)\n\ntarget_link_libraries(shop cart)')],
  ])('%s', (_title, now) => {
    expect(joined(now)).toBe(now)
  })

  test.each([
    [
      'a test with its program',
      end(
        'add_executable(test_tabs tabs.c test_tabs.c)\ntarget_link_libraries(test_tabs cart)\nadd_test(t COMMAND test_tabs)',
      ),
      BASE,
    ],
    ['a test of an existing program', end('add_test(NAME zero COMMAND test_cart 0)'), BASE],
    ['a changed comment', swap('# the library', '# all of it'), BASE],
    [
      'a source and a test source',
      swap('(SOURCES cart.c)', '(SOURCES cart.c tabs.c tests/tabs.c)'),
      swap('(SOURCES cart.c)', '(SOURCES cart.c tabs.c)'),
    ],
  ])('omits its tests: %s', (_title, now, expected) => {
    expect(joined(now)).toBe(expected)
  })
})

describe('uses the base’s CMake file if anything else was changed', () => {
  const tabs = swap('set(SOURCES cart.c)', 'set(SOURCES cart.c tabs.c)')
  test.each([
    ['a removed test', tabs.replace('add_test(NAME cart COMMAND test_cart)\n', '')],
    ['a test’s command', tabs.replace('COMMAND test_cart', 'COMMAND true')],
    ['a replaced test source', tabs.replace('test_cart.c', 'other.c')],
    ['a test marked WILL_FAIL', `${tabs}set_tests_properties(cart PROPERTIES WILL_FAIL TRUE)\n`],
    ['disabled assertions', `${tabs}add_compile_definitions(NDEBUG)\n`],
    ['options of a target', `${tabs}target_compile_definitions(test_cart PRIVATE NDEBUG)\n`],
    ['the ctest command', `${tabs}set(CMAKE_CTEST_COMMAND true)\n`],
    ['another library for a test', `${tabs}target_link_libraries(test_cart mock)\n`],
    ['a target with an existing name', `${tabs}add_library(test_cart fake.c)\n`],
    ['a test with an existing name', `${tabs}add_test(NAME cart COMMAND true)\n`],
    ['a command run at configure time', `${tabs}execute_process(COMMAND sh fake.sh)\n`],
    ['a target with a generator expression', `${tabs}add_executable(x $<IF:1,a.c,b.c>)\n`],
    ['an early return()', tabs.replace('add_library', 'return()\nadd_library')],
    ['a condition around a test', tabs.replace('add_test(', 'if(WIN32)\nadd_test(').concat('endif()\n')],
    ['a bracket comment', `${tabs}#[[ \n ]] add_test(NAME x COMMAND true)\n`],
    ['a compile definition as a source', tabs.replace('add_library(cart', 'add_library(cart -DNDEBUG.c')],
    [
      'headers that shadow those of the tests',
      tabs
        .replace(
          'add_executable(',
          'add_library(t t.c)\ntarget_include_directories(t PUBLIC fake)\nadd_executable(',
        )
        .replace('test_cart cart)', 'test_cart cart t)'),
    ],
    ['sources removed from a list', `${tabs}list(REMOVE_ITEM SOURCES cart.c)\n`],
    ['an unclosed quotation mark', `${tabs}set(X "a\n`],
  ])('%s', (_title, now) => {
    expect(joined(now)).toBe(BASE)
  })
})

test('builds a list used under another name as well', () => {
  const base = `set(A a.c)\nset(ALL \${A} main.c)\nlist(APPEND ALL z.c)\nadd_executable(x \${ALL})\n`
  const now = base.replace('(A a.c)', '(A a.c b.c)').replace('z.c)', 'z.c y.c)')
  expect(withSteeringOf('CMakeLists.txt', base, now)).toBe(now)
})

describe('does not treat a variable that also decides what is tested as a list of sources', () => {
  test.each([
    [`list(REMOVE_ITEM TESTS \${SKIPPED})`, 'set(SKIPPED slow.c)', 'set(SKIPPED slow.c parse.c)'],
    [
      'list(REMOVE_ITEM TESTS slow.c)',
      'list(REMOVE_ITEM TESTS slow.c)',
      'list(REMOVE_ITEM TESTS slow.c parse.c)',
    ],
    [`foreach(it \${CASES})\nendforeach()`, 'set(CASES a.c)', 'set(CASES a.c b.c)'],
    [`set(ALL \${CASES})\nforeach(it \${ALL})\nendforeach()`, 'set(CASES a.c)', 'set(CASES a.c b.c)'],
    [`foreach(it \${\${KIND}_CASES})\nendforeach()`, 'set(CASES a.c)', 'set(CASES a.c b.c)'],
    [`file(WRITE list "\${CASES}")`, 'set(CASES a.c)', 'set(CASES a.c b.c)'],
  ])('%s', (use, list, longer) => {
    const base = `${list}\n${use === list ? '' : `${use}\n`}`
    expect(withSteeringOf('CMakeLists.txt', base, base.replace(list, longer))).toBe(base)
  })
})
