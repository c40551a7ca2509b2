import { expect, it, test } from 'vitest'
import { weighTests } from './test-weight.ts'

test.each([
  ['node:test', 't.assert.strictEqual(1, 1); assert.ok(x); assert(x)', 3],
  ['tap', 't.equal(1, 1); t.same(a, b); t.notOk(x); t.error(e); t.match(a, /b/); t.hasStrict(a, b)', 6],
  [
    'ava',
    't.is(1, 1); t.deepEqual(a, b); t.notThrows(f); t.throwsAsync(f); t.regex(a, /b/); t.snapshot(a)',
    6,
  ],
  ['vitest, jest', 'expect(a).toBe(1); expectTypeOf(a).toBeString(); assertType(a)', 3],
  ['chai', 'a.should.equal(1); chai.assert.equal(a, 1); chai.expect(a).to.be.true', 3],
  ['sinon, supertest', 'sinon.assert.calledOnce(f); request(app).get("/").expect(200)', 2],
  ['none', 't.pass(); t.plan(3); t.end(); t.test("a", f); asserted(x); unexpected(x)', 0],
])('counts the assertions of %s', (_framework, code, assertions) => {
  expect(weighTests('a.test.js', code)).toMatchObject({ assertions })
})

it('weighs the same when a file moves from tap to node:test, and less when its assertions go', () => {
  const tap = "test('a', async (t) => {\n  t.equal(await f(), 1)\n  t.same(await g(), {})\n})\n"
  const node = tap.replace('t.equal', 't.assert.strictEqual').replace('t.same', 't.assert.deepStrictEqual')
  const emptied = "test('a', async (t) => {\n  t.pass()\n})\n"
  expect(weighTests('a.test.js', node)).toEqual(weighTests('a.test.js', tap))
  expect(weighTests('a.test.js', emptied)).toMatchObject({ tests: 1, assertions: 0 })
})
