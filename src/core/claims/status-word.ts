import { CLAIM_STATUSES, type ClaimStatus } from '../vocabulary/task.ts'

/** Marks that may surround a status word: "✅ done", "Done.", "Done…". */
const MARKS = /^(?:[\s✅✔☑🎉]|\uFE0F)+|(?:[\s.…!✅✔☑🎉]|\uFE0F)+$/gu

/** Words that agents use instead of `done`, `skipped` or `failed` in a report, including translations. */
const WORDS: Readonly<Record<ClaimStatus, string>> = {
  done: `done complete completed finished success successful succeeded ok
    erledigt fertig abgeschlossen terminé terminée fini fait achevé hecho completado terminado concluído feito
    completato fatto finito klaar voltooid färdig gotowe готово выполнено завершено 完成 已完成 完了 완료`,
  skipped: `skip skipped übersprungen ignoré omitido saltado overgeslagen пропущено 跳过 已跳过 スキップ 건너뜀`,
  failed: `fail failed failure fehlgeschlagen gescheitert échoué échec fallido falló fracasado fallito mislukt 失败 失敗 실패`,
}
const STATUS_BY_WORD: ReadonlyMap<string, ClaimStatus> = new Map(
  CLAIM_STATUSES.flatMap((status) => WORDS[status].split(/\s+/).map((word) => [word, status] as const)),
)

const MAX_LENGTH = 100
/** Separates a remark from the word: "completed (no errors)", "done, 3 files". */
const REMARK = /[,;:.()–—]|\s-\s|\bwith\b|\bsuccessfully\b/
/** Words in a remark that take the status back. */
const TAKES_BACK =
  /\b(?:not|but|except|apart|aside|missing|pending|awaiting|remain\w*|left|todo|wip|partial\w*|partly|mostly|almost|incomplete|unfinished|untested|skipped|deferred|blocked|fail\w*|errors?|later|until|unless|if|needs?)\b|n['’]t\b/i
/** The same in the other languages of the status words. */
const TAKES_BACK_ELSEWHERE =
  /\b(?:nicht(?! mehr)|aber|noch|bis auf|fehlt|fehlen|offen|nein|teilweise|pas|sauf|mais|manqu\w*|reste\w*|pero|salvo|menos|excepto|falta\w*|sem|mas|tranne|manca\w*|zonder|maar|behalve|niet|ontbre\w*|saknas|brak(?:uje)?|(?:ohne|sin|sans|senza)(?! (?:fehler|error|erreur)))\b/i
/** A whole remark that denies the word before it: "done: no". */
const DENIES = /^\W*(?:no|false|0|none|nothing|never)\W*$/i
/** "no errors", "0 failures", "nothing left": phrases that take nothing back. */
const NONE_OF_IT = /\b(?:no|0|without|nothing)\s+(?:\w+\s+)?\w+/gi
const READ = /^[\x20-\x7e]*$/

/**
 * Returns the status that a word stands for, alone or with an English remark that doesn't take it back; null for any other
 * word, which leaves completion unknown.
 */
export function statusOf(text: string): ClaimStatus | null {
  if (text.length > MAX_LENGTH) return null
  const known = statusOfWord(text)
  if (known !== null) return known
  const parts = text.split(REMARK)
  const remarks = parts.filter((part) => statusOfWord(part) !== 'done')
  if (parts.length < 2 || remarks.length === parts.length) return null
  const isTakenBack = remarks.some(
    (part) =>
      !READ.test(part) ||
      DENIES.test(part) ||
      TAKES_BACK.test(part.replace(NONE_OF_IT, '')) ||
      TAKES_BACK_ELSEWHERE.test(part),
  )
  return isTakenBack ? null : 'done'
}

function statusOfWord(text: string): ClaimStatus | null {
  return STATUS_BY_WORD.get(text.normalize().replace(MARKS, '').toLowerCase()) ?? null
}
