import { describe, expect, it } from 'vitest'
import { lostNames } from './lost-names.ts'
import { reportOf, type TestReport } from './test-report.ts'

function ran(...names: readonly string[]): TestReport {
  const reading = reportOf(names.map((name) => ({ name, status: 'passed' })))
  if (!reading.ok) throw new Error(reading.reason)
  return reading.report
}

describe('a name that differs from run to run', () => {
  it.each([
    ['t/fs.t > /tmp/2bGKTbpeq1 no longer exists', 't/fs.t > /tmp/Z_2XgyKQ9w no longer exists'],
    ["t/fs.t > opened '/tmp/abCDefGHij/foo/bar'", "t/fs.t > opened '/tmp/klMNopQRst/foo/bar'"],
    ['has /private/var/folders/x1/y2/T/d-123.log', 'has /private/var/folders/x1/y2/T/d-456.log'],
    [
      String.raw`has C:\Users\ann\AppData\Local\Temp\abc\x`,
      String.raw`has C:\Users\ann\AppData\Local\Temp\def\x`,
    ],
    ['adds #<Cart:0x000078e1a2b3c4d5>', 'adds #<Cart:0x000071f1a2b3c4d5>'],
    ['saves 3b241101-e2bb-4255-8caf-4136c566a962', 'saves 9c858901-8a57-4791-81fe-4c455b099bc9'],
    ['asks http://127.0.0.1:43215/cart', 'asks http://127.0.0.1:51234/cart'],
    ['src/lib.rs - add (line 3)', 'src/lib.rs - add (line 12)'],
    [
      'src/lib.rs - Cart<T>::add (line 9) - compile fail',
      'src/lib.rs - Cart<T>::add (line 10) - compile fail',
    ],
    ['Cart::with items#test_0001_adds', 'Cart::with items#test_0002_adds'],
    ['Cart example at ./spec/cart_spec.rb:12', 'Cart example at ./spec/cart_spec.rb:14'],
  ])('is not lost: %s', (before, now) => {
    expect(lostNames(ran(before), ran(now))).toEqual([])
  })

  it('is lost if the test is gone', () => {
    const before = ran('/tmp/a1 exists', '/tmp/b2 exists', 'adds')
    expect(lostNames(before, ran('/tmp/c3 exists', 'adds'))).toEqual(['/tmp/… exists (2)'])
  })

  it('keeps the worst result under its own name', () => {
    const reading = reportOf([
      { name: '/tmp/a1 exists', status: 'passed' },
      { name: '/tmp/b2 exists', status: 'failed' },
    ])
    expect(reading.ok && reading.report.names.failed).toEqual(['/tmp/… exists (2)'])
  })

  it.each([
    ['documentation tests', 'src/lib.rs - add (line 4)', 'src/lib.rs - add (line 10)'],
    ['Minitest specs', 'Cart#test_0001_adds', 'Cart#test_0002_adds'],
  ])('is lost if one of two %s is removed and the other is moved', (_, one, other) => {
    expect(lostNames(ran(one, other), ran(other))).toHaveLength(1)
  })

  it('is numbered in the order of the file, whatever the order in the output', () => {
    const [first, second] = ['src/lib.rs - add (line 9)', 'src/lib.rs - add (line 10)']
    const failing = (names: readonly string[]) =>
      reportOf(names.map((name) => ({ name, status: name === second ? 'failed' : 'passed' })))
    expect(failing([second, first])).toEqual(failing([first, second]))
  })
})

describe('a name that describes the test', () => {
  it.each([
    ['reads /home/tmp/a', 'reads /home/tmp/b'],
    ['asks http://localhost:8080', 'asks http://localhost:9090'],
    ['parses 0xdeadbeef', 'parses 0xcafebabe'],
    ['src/lib.rs - add (line 3)', 'src/lib.rs - sub (line 3)'],
    ['src/lib.rs - add (line 3)', 'src/lib.rs - add (line 3) - compile'],
    ['reads a text (line 3)', 'reads a text (line 4)'],
    ['goes to /tmp/a then', 'goes to /tmp/a now'],
  ])('is lost if it is replaced by another: %s', (before, now) => {
    expect(lostNames(ran(before), ran(now))).toHaveLength(1)
  })
})
