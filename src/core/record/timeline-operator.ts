import { durationWords } from '../pacing/duration-words.ts'
import { findingsInWords } from '../vocabulary/unreviewed.ts'
import { verdictInWords } from '../vocabulary/verdict.ts'
import type { EventOf } from './events.ts'
import { type EntryBody, filesOf, noteOf, sentences } from './timeline-words.ts'

export function thumbOf(event: EventOf<'feedback-given'>): EntryBody {
  const { feedback, attemptId, taskId = null, points } = event
  const title = feedback === 'up' ? 'Thumbs up' : 'Thumbs down'
  const note = noteOf(event.note)
  return { kind: 'feedback', type: `thumbs-${feedback}`, title, attemptId, taskId, points, note }
}

export function overrulingOf(event: EventOf<'verdict-overruled'>): EntryBody {
  const from = event.from === null ? 'no verdict' : verdictInWords(event.from)
  return {
    kind: 'feedback',
    type: 'overruled',
    title: 'Verdict overruled',
    taskId: event.taskId,
    attemptId: event.attemptId,
    text: [
      `From ${from}${event.fromContradiction ? ' (a contradiction)' : ''} to ${verdictInWords(event.to)}.`,
    ],
    points: event.pointsDelta,
    note: noteOf(event.reason),
  }
}

export function reviewOf(event: EventOf<'review-answered'>): EntryBody {
  const { answer, rigged, putBack, always, taskId, attemptId, points } = event
  const title =
    answer === 'accept' ? 'Held work accepted' : rigged ? 'Held work refused as rigged' : 'Held work refused'
  return {
    kind: 'feedback',
    type: answer === 'accept' ? 'accepted' : 'refused',
    title,
    taskId,
    attemptId,
    points,
    text: sentences([
      ...(putBack.length === 0 ? [] : [`Restored from the baseline: ${putBack.join(', ')}.`]),
      ...(always === null ? [] : [`Always allowed: ${always}.`]),
    ]),
    note: noteOf(event.reason),
  }
}

export function undoOf({
  again,
  files,
  count,
  leftAlone,
  taskId,
  attemptId,
  reason,
}: EventOf<'attempt-undone'>): EntryBody {
  const stayed = leftAlone === 0 ? [] : [`${leftAlone} were left unchanged.`]
  return {
    kind: 'feedback',
    type: again ? 'undo-taken-back' : 'undone',
    title: again ? 'Changes redone' : 'Changes undone',
    taskId,
    attemptId,
    text: [`${count} ${count === 1 ? 'file' : 'files'}.`, ...stayed],
    ...filesOf(files, count),
    note: noteOf(reason),
  }
}

export function unblockOf(event: EventOf<'task-unblocked'>): EntryBody {
  const { taskId, by, reason, timeoutSeconds, attemptLimit } = event
  return {
    kind: 'unblock',
    type: by === 'operator' ? 'by-operator' : 'automatic',
    title: 'Task unblocked',
    taskId,
    text: [
      ...(timeoutSeconds === null
        ? []
        : [`Its next attempt may take ${durationWords(timeoutSeconds * 1000)}.`]),
      ...(attemptLimit === null ? [] : [`It is blocked again after ${attemptLimit} attempts.`]),
    ],
    note: noteOf(reason),
  }
}

export function thumbUndoneOf(event: EventOf<'feedback-undone'>): EntryBody {
  return {
    kind: 'feedback',
    type: 'thumb-undone',
    title: `Thumbs ${event.feedback} taken back`,
    taskId: event.taskId,
    attemptId: event.attemptId,
    points: -event.points,
  }
}

export function noteEntryOf(event: EventOf<'operator-noted'>): EntryBody {
  return {
    kind: 'feedback',
    type: 'note',
    title: 'Note to the agent',
    taskId: event.taskId,
    note: noteOf(event.text),
  }
}

export function reviewUndoneOf(event: EventOf<'review-undone'>): EntryBody {
  return {
    kind: 'feedback',
    type: 'review-undone',
    title: 'Answer taken back: held again',
    taskId: event.taskId,
    attemptId: event.attemptId,
    points: -event.points,
  }
}

export function seenOf({ ids, others = 0, how }: EventOf<'contradictions-seen'>): EntryBody {
  const opened = others === 0 ? 'Contradiction opened' : 'Finding opened'
  const title = how === 'opened' ? opened : `${findingsInWords(ids.length, others)} marked as seen`
  return { kind: 'feedback', type: 'seen', title, attemptId: onlyOne(ids) }
}

export function unseenOf({ ids, others }: EventOf<'contradictions-unseen'>): EntryBody {
  const title = `${findingsInWords(ids.length, others)} marked as not seen again`
  return { kind: 'feedback', type: 'unseen', title, attemptId: onlyOne(ids) }
}

function onlyOne(ids: readonly string[]): string | null {
  return ids.length === 1 ? (ids[0] ?? null) : null
}
