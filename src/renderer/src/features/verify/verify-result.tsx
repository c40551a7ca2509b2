import type { ReactNode } from 'react'
import type { Branches, Verification } from '../../../../api/procedures/changes.ts'
import type { ChangeView } from '../../../../core/change/change-view.ts'
import { verdictWords } from '../../../../core/change/formats/words.ts'
import { takenDuration } from '../../../../core/pacing/duration-words.ts'
import { harmlessLine } from '../../../../core/text/harmless.ts'
import { sentence } from '../../format/sentence.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { OpenFileButton } from '../../ui/open-file-button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Prose } from '../../ui/prose.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { TableHead } from '../../ui/table-head.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import { Comparisons } from '../attempt/comparisons.tsx'
import { SeverityGlyph } from '../interventions/severity-glyph.tsx'
import { ChecksTable } from './checks-table.tsx'
import styles from './verify.module.css'
import {
  claimsOf,
  comparedWords,
  noChecksWords,
  policyWords,
  reasonsOf,
  redFirstWords,
  shownChange,
} from './verify-words.ts'

/** The full verdict on a change: the worst first, then what it is based on. */
export function VerifyResult({
  workspaceId,
  verification,
  change,
  branches,
}: {
  workspaceId: string
  verification: Verification
  change: ChangeView
  branches: Branches
}) {
  const kind = shownChange(change)
  const { request, startedAt } = verification
  // Line numbers refer to head, but an editor opens the work tree, so only link them if that is head.
  const { top } = branches
  const openAt = request.head === undefined && top !== null ? { workspaceId, top } : null
  const isLie = change.claims.some(({ equal }) => equal === false)
  const claims = <Claims change={change} isAsked={request.claims.trim() !== ''} />
  return (
    <article className={styles.result} aria-label="Verdict">
      <header className={styles.header} data-kind={kind ?? 'none'}>
        {kind !== null && <VerdictGlyph kind={kind} size={22} />}
        <div className={styles.words}>
          <h3 className={styles.verdict} data-kind={kind ?? 'none'}>
            {verdictWords(change)}
          </h3>
          <p className="measure quiet breaks pretty">
            <bdi>{harmlessLine(comparedWords(request, branches, change))}</bdi>,{' '}
            <RelativeTime at={startedAt} />, took {takenDuration(change.durationMs)}
          </p>
        </div>
        {kind !== null && change.verdict !== null && (
          <Attest workspaceId={workspaceId} id={verification.id} />
        )}
      </header>
      {isLie && claims}
      <Reasons reasons={reasonsOf(change)} />
      {change.applicable && (
        <>
          {!isLie && claims}
          <Custody change={change} openAt={openAt} />
          <Part title="Checks" more={change.more.checks}>
            {change.checks.length === 0 ? (
              <p className="measure quiet breaks pretty">{noChecksWords(request)}</p>
            ) : (
              <ChecksTable checks={change.checks} />
            )}
          </Part>
          <Tests change={change} />
          <Tasks change={change} />
          <Facts change={change} />
        </>
      )}
    </article>
  )
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null
  return (
    <ul className="stack gap-half breaks" aria-label="Reasons">
      {reasons.map((reason) => (
        <li key={reason} dir="auto">
          <Prose text={sentence(reason)} />
        </li>
      ))}
    </ul>
  )
}

function Part({ title, more = 0, children }: { title: string; more?: number; children: ReactNode }) {
  return (
    <section className="stack small" aria-label={title}>
      <h4 className={styles.heading}>{title}</h4>
      {children}
      {more > 0 && (
        <p className="measure quiet breaks pretty">
          and {more} more: <code>pulseward verify --json</code> lists all
        </p>
      )}
    </section>
  )
}

function Claims({ change, isAsked }: { change: ChangeView; isAsked: boolean }) {
  const { compared, unread } = claimsOf(change)
  if (!isAsked && compared.length === 0 && unread.length === 0) return null
  return (
    <Part title="Claims" more={change.more.claims}>
      {compared.length === 0 && unread.length === 0 && (
        <p className="measure quiet breaks pretty">The description makes no claim that can be measured.</p>
      )}
      {compared.length > 0 && (
        <div className={styles.comparisons}>
          <Comparisons
            comparisons={compared}
            label="Claim and measurement"
            isContradiction={compared.some(({ agrees }) => agrees === false)}
          />
        </div>
      )}
      {unread.length > 0 && (
        <>
          <p className="measure quiet breaks pretty">Unread: not measured, and held against no one.</p>
          <ul className={styles.list} aria-label="Unread claims">
            {unread.map((text) => (
              <li key={text} dir="auto">
                {harmlessLine(text)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Part>
  )
}

interface OpenAt {
  readonly workspaceId: string
  readonly top: string
}

function Custody({ change: { custody, more }, openAt }: { change: ChangeView; openAt: OpenAt | null }) {
  return (
    <Part title="Custody" more={more.custody}>
      {custody.length === 0 ? (
        <p className="measure quiet breaks pretty">Nothing that decides a verdict was changed.</p>
      ) : (
        <ul className="card rows">
          {custody.map((finding) => (
            <li key={`${finding.fingerprint}\n${finding.line}`} className={styles.row}>
              <SeverityGlyph severity={finding.severity} />
              <div className={styles.words}>
                <p dir="auto">
                  <Prose text={sentence(finding.message)} />
                </p>
                <Place finding={finding} openAt={openAt} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function Place({
  finding: { path, line },
  openAt,
}: {
  finding: ChangeView['custody'][number]
  openAt: OpenAt | null
}) {
  const words = <bdi>{harmlessLine(line === null ? path : `${path}:${line}`)}</bdi>
  return (
    <p className={styles.place}>
      {openAt === null ? (
        words
      ) : (
        <OpenFileButton workspaceId={openAt.workspaceId} path={`${openAt.top}/${path}`} line={line ?? 1}>
          {words}
        </OpenFileButton>
      )}
    </p>
  )
}

function Tests({ change: { lost, added, skipped, more } }: { change: ChangeView }) {
  if (lost.length + added.length + skipped.length === 0) return null
  return (
    <>
      {lost.length > 0 && (
        <Part title={`Tests lost: ${lost.length + more.lost}`} more={more.lost}>
          <Names names={lost} label="Tests lost" />
        </Part>
      )}
      {skipped.length > 0 && (
        <Part title={`Tests newly skipped: ${skipped.length + more.skipped}`} more={more.skipped}>
          <Names names={skipped} label="Tests newly skipped" />
        </Part>
      )}
      {added.length > 0 && (
        <Part title={`Tests added: ${added.length + more.added}`} more={more.added}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard */}
          <section className="scrolls" aria-label="Added tests" tabIndex={0}>
            <table className={styles.table}>
              <TableHead columns={['Test', 'On the base']} />
              <tbody>
                {added.map(({ name, redFirst }) => (
                  <tr key={name}>
                    <th scope="row">
                      <bdi>{harmlessLine(name)}</bdi>
                    </th>
                    <td data-red-first={String(redFirst)}>{redFirstWords(redFirst)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </Part>
      )}
    </>
  )
}

function Names({ names, label }: { names: readonly string[]; label: string }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {names.map((name) => (
        <li key={name} dir="auto">
          {harmlessLine(name)}
        </li>
      ))}
    </ul>
  )
}

function Tasks({ change: { tasks } }: { change: ChangeView }) {
  if (tasks.length === 0) return null
  return (
    <Part title="Tasks">
      <ul className="card rows">
        {tasks.map(({ taskId, path, verdict, reasons }) => (
          <li key={`${path}\n${taskId}`} className={styles.row}>
            <VerdictGlyph kind={verdict ?? 'skipped'} />
            <div className={styles.words}>
              <p>
                <strong>
                  <bdi>{harmlessLine(taskId)}</bdi>
                </strong>
              </p>
              {reasons.map((reason) => (
                <p key={reason} className="measure quiet breaks pretty" dir="auto">
                  <Prose text={sentence(reason)} />
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Facts({ change: { base, head, policy } }: { change: ChangeView }) {
  return (
    <dl className="facts">
      <dt>Base</dt>
      <dd>
        <code>{base.commit.slice(0, 12)}</code>
      </dd>
      <dt>Head</dt>
      <dd>
        <code>{head.commit.slice(0, 12)}</code>
        {head.dirty && ' and the work tree’s changes'}
      </dd>
      <dt>Policy</dt>
      <dd>{harmlessLine(policyWords(policy))}</dd>
    </dl>
  )
}

/** Signs the verdict, whatever it is, and saves it as a download. */
function Attest({ workspaceId, id }: { workspaceId: string; id: string }) {
  const api = useApp((state) => state.api)
  const showToast = useApp((state) => state.showToast)
  const { busy, problem, submit } = useSubmit()
  const attest = () =>
    void submit(async () => {
      const { tree, envelopes } = await api.changes.attest({ workspace: workspaceId, id })
      const name = `attestation-${tree.slice(0, 12)}.intoto.jsonl`
      saveFile(new Blob([`${envelopes.join('\n')}\n`], { type: 'application/jsonl' }), name)
      showToast({ tone: 'plain', text: `The signed verdict is saved as ${name}.`, undo: null })
    })
  return (
    <div className="stack gap-1">
      <Button acts aria-disabled={busy} onClick={attest} title="Signs this verdict, and saves it as a file">
        Save attestation
      </Button>
      <ProblemNote text={problem} />
    </div>
  )
}
