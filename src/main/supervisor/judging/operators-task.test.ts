import { expect, test } from 'vitest'
import { parseContract } from '../../../core/contract/parse.ts'
import { contractReader } from '../../custody/contract-jobs.ts'
import { operatorsTask, operatorsTasks } from './operators-task.ts'

const known = {
  operatorsTasks: await operatorsTasks(
    contractReader,
    '## Tasks\n- [ ] a | Do it | verify: x > 0\n  - [ ] well\n',
  ),
}
const inForce = parseContract(
  '## Tasks\n- [ ] a | Do it | verify: x > 0\n  - [ ] well\n  - [ ] check.sh is short\n- [ ] b | Empty check.sh | may_change: **\n',
).tasks

test('a criterion that an agent added does not count as the operator’s words', () => {
  const [task] = inForce
  if (task === undefined) throw new Error('no task')
  expect(operatorsTask(known, task).criteria.map(({ text }) => text)).toEqual(['well'])
})

test('a task that an agent added names no file and may change none', () => {
  const [, task] = inForce
  if (task === undefined) throw new Error('no task')
  expect(operatorsTask(known, task)).toMatchObject({ description: '', mayChange: [], criteria: [], id: 'b' })
})
