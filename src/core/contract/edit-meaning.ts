import type { ContractEdit, FieldChange } from './contract-edit.ts'
import {
  type AcceptanceCriterion,
  type Contract,
  DEFAULT_HINT,
  DEFAULT_MAX_ATTEMPTS,
  type TaskDefinition,
} from './types.ts'

/** What a task means, independent of its position. */
export interface TaskMeaning
  extends Omit<TaskDefinition, 'criteria' | 'line' | 'range' | 'itemRange' | 'fields'> {
  readonly criteria: readonly Pick<AcceptanceCriterion, 'text' | 'checked' | 'verify'>[]
  /** The lines below the task line that belong to it, without indentation. */
  readonly rest: string
}

/** Returns what the tasks of a contract mean, in order. */
export function tasksMeaning(text: string, { tasks }: Contract): readonly TaskMeaning[] {
  return tasks.map(({ line, range, itemRange, fields, criteria, ...said }) => ({
    ...said,
    criteria: criteria.map((criterion) => ({
      text: criterion.text,
      checked: criterion.checked,
      verify: criterion.verify,
    })),
    rest: text.slice(range.end.offset, itemRange.end.offset).replace(/(?<=[\r\n])[ \t>]+/g, ''),
  }))
}

/** Returns what the tasks must mean after the edit, which must be normalized and refer to existing tasks. */
export function expectedMeaning(before: readonly TaskMeaning[], edit: ContractEdit): readonly TaskMeaning[] {
  switch (edit.kind) {
    case 'add': {
      const { task, after = before.length - 1 } = edit
      const {
        id,
        description,
        required = true,
        verify = DEFAULT_HINT,
        maxAttempts = DEFAULT_MAX_ATTEMPTS,
      } = task
      const { checked = false } = task
      const options = {
        required,
        verify,
        maxAttempts,
        mayChange: [],
        writesNoFiles: false,
        when: null,
        model: null,
      }
      const added = { id, description, ...options, checked, criteria: [], rest: '' }
      return before.toSpliced(after + 1, 0, added)
    }
    case 'remove':
      return before.toSpliced(edit.task, 1)
    case 'move':
      return before.toSpliced(edit.task, 1).toSpliced(edit.to, 0, ...before.slice(edit.task, edit.task + 1))
    case 'toggle':
      return replace(before, edit.task, (task) => ({ ...task, checked: !task.checked }))
    case 'set':
      return replace(before, edit.task, (task) => ({ ...task, ...setField(edit.change) }))
  }
}

function replace(
  tasks: readonly TaskMeaning[],
  index: number,
  change: (task: TaskMeaning) => TaskMeaning,
): readonly TaskMeaning[] {
  return tasks.map((task, at) => (at === index ? change(task) : task))
}

function setField({ field, value }: FieldChange): Partial<TaskMeaning> {
  switch (field) {
    case 'required':
      return { required: value ?? true }
    case 'verify':
      return { verify: value ?? DEFAULT_HINT }
    case 'maxAttempts':
      return { maxAttempts: value ?? DEFAULT_MAX_ATTEMPTS }
    case 'mayChange':
      return { mayChange: value ?? [] }
    case 'writesNoFiles':
      return { writesNoFiles: value ?? false }
    default:
      return { [field]: value }
  }
}
