import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ChevronDown, ChevronUp } from 'lucide-react'
import { Fragment, memo, useDeferredValue, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { plainText } from '../../store/output-buffer.ts'
import { Button } from '../../ui/button.tsx'
import { OpenFileButton } from '../../ui/open-file-button.tsx'
import { styledLine } from './ansi.ts'
import { filePlaces } from './file-places.ts'
import styles from './output-view.module.css'

const LINE_PX = 19
/** Within this many pixels of the end counts as being at the end. */
const NEAR_END_PX = 24

/**
 * An agent's output of any length: only visible lines are drawn. Follows the end while output arrives, until the user scrolls up.
 * `droppedLines`: how many lines came before the first one given.
 */
export function OutputView({
  workspaceId,
  lines,
  droppedLines = 0,
  follows = false,
}: {
  /** The workspace whose files the output names. */
  workspaceId: string
  lines: readonly string[]
  droppedLines?: number
  /** True if more output may follow: the view then starts at the end. */
  follows?: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useState(follows)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => droppedLines + index,
    overscan: 12,
  })
  const size = virtualizer.getTotalSize()
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines and their heights are what moves the end
  useLayoutEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [lines, size, following])
  const onScroll = () => {
    const element = box.current
    if (element === null) return
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX)
  }
  const toEnd = () => {
    virtualizer.scrollToIndex(lines.length - 1, { align: 'end' })
    setFollowing(true)
  }
  const search = useSearch(lines, (line) => {
    setFollowing(false)
    virtualizer.scrollToIndex(line, { align: 'center' })
  })
  return (
    <div className={styles.output}>
      <SearchBar search={search} />
      <div
        ref={box}
        className={styles.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Output of the agent"
        onScroll={onScroll}
      >
        {droppedLines > 0 && <p className="faint">{droppedLines} earlier lines are in the log.</p>}
        <div className={styles.lines} style={{ height: size }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-current={index === search.current}
              className={styles.line}
              style={{ transform: `translateY(${start}px)` }}
              dir="auto"
            >
              <Line workspaceId={workspaceId} text={lines[index] ?? ''} />
              {'\n'}
            </div>
          ))}
        </div>
      </div>
      {!following && (
        <Button className={styles.end} onClick={toEnd}>
          <ArrowDown size={14} aria-hidden /> Jump to end
        </Button>
      )}
    </div>
  )
}

const Line = memo(({ workspaceId, text }: { workspaceId: string; text: string }) =>
  styledLine(text).map(({ text: piece, colour, ...style }, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line have no other identity
      key={index}
      data-colour={colour}
      data-marked={style.marked || undefined}
      data-bold={style.bold || undefined}
      data-dim={style.dim || undefined}
      data-italic={style.italic || undefined}
      data-underlined={style.underlined || undefined}
    >
      <Linked workspaceId={workspaceId} text={piece} />
    </span>
  )),
)
Line.displayName = 'Line'

/** A text in which file names are links that open the files. */
function Linked({ workspaceId, text }: { workspaceId: string; text: string }) {
  const places = filePlaces(text)
  const ends = places.map(({ to }) => to)
  return (
    <>
      {places.map(({ path, line, from, to }, index) => (
        <Fragment key={from}>
          {text.slice(ends[index - 1] ?? 0, from)}
          <OpenFileButton workspaceId={workspaceId} path={path} line={line}>
            {text.slice(from, to)}
          </OpenFileButton>
        </Fragment>
      ))}
      {text.slice(ends.at(-1) ?? 0)}
    </>
  )
}

type Search = ReturnType<typeof useSearch>

function useSearch(lines: readonly string[], show: (line: number) => void) {
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const needle = useDeferredValue(text).toLowerCase()
  const found = useMemo(
    () =>
      needle === ''
        ? []
        : lines.flatMap((line, index) => (plainText(line).toLowerCase().includes(needle) ? [index] : [])),
    [lines, needle],
  )
  const at = Math.min(place, Math.max(0, found.length - 1))
  const go = (to: number) => {
    if (found.length === 0) return
    const next = (to + found.length) % found.length
    setPlace(next)
    show(found[next] ?? 0)
  }
  const type = (typed: string) => {
    setText(typed)
    setPlace(0)
  }
  return { text, type, found, at, go, current: found[at] ?? -1 }
}

function SearchBar({ search }: { search: Search }) {
  const id = useId()
  const { text, type, found, at, go } = search
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser we run in
    <div className={styles.search} role="group" aria-label="Search the output">
      <label htmlFor={id}>Find</label>
      <input
        id={id}
        type="search"
        value={text}
        maxLength={200}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          // The first Enter shows the first match, each further one the next.
          go(event.shiftKey ? at - 1 : at + Number(event.currentTarget.dataset.shown === text))
          event.currentTarget.dataset.shown = text
        }}
      />
      <span role="status" className={styles.found}>
        {text === '' ? '' : found.length === 0 ? 'not found' : `${at + 1} of ${found.length}`}
      </span>
      <Button look="icon" aria-label="Previous" aria-disabled={found.length === 0} onClick={() => go(at - 1)}>
        <ChevronUp size={14} aria-hidden />
      </Button>
      <Button look="icon" aria-label="Next" aria-disabled={found.length === 0} onClick={() => go(at + 1)}>
        <ChevronDown size={14} aria-hidden />
      </Button>
    </div>
  )
}
