import { ArrowDown } from 'lucide-react'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import { EMPTY_OUTPUT } from '../../store/output-buffer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import styles from './live-output.module.css'

/** Lines drawn as one piece: only the last piece changes while output comes. */
const PIECE_LINES = 100

/** The agent's output as it comes. Follows the end until the person scrolls up. */
export function LiveOutput({ attemptId }: { attemptId: string }) {
  const buffer = useApp((state) => state.outputs[attemptId]) ?? EMPTY_OUTPUT
  const { box, following, onScroll, toEnd } = useFollowing(buffer)
  const empty = buffer.lines.length === 1 && buffer.lines[0] === ''
  if (empty) return <p className={styles.waiting}>Nothing printed yet.</p>
  return (
    <div className={styles.output}>
      <pre
        ref={box}
        className={styles.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Output of the agent"
        onScroll={onScroll}
      >
        {buffer.droppedLines > 0 && (
          <span className={styles.dropped}>{buffer.droppedLines} earlier lines are in the log.</span>
        )}
        {pieces(buffer.lines, buffer.droppedLines).map((piece) => (
          <Piece key={piece.number} text={piece.text} />
        ))}
      </pre>
      {!following && (
        <Button className={styles.end} onClick={toEnd}>
          <ArrowDown size={14} aria-hidden /> Follow
        </Button>
      )}
    </div>
  )
}

const Piece = memo(({ text }: { text: string }) => (
  <span className={styles.piece} dir="auto">
    {text}
  </span>
))
Piece.displayName = 'Piece'

/** Cut by the lines' absolute numbers, so that lines dropped at the front do not shift every piece. */
function pieces(lines: readonly string[], droppedLines: number): { number: number; text: string }[] {
  const cut: { number: number; text: string }[] = []
  let at = 0
  while (at < lines.length) {
    const number = Math.floor((droppedLines + at) / PIECE_LINES)
    const end = (number + 1) * PIECE_LINES - droppedLines
    cut.push({ number, text: lines.slice(at, end).join('\n') })
    at = end
  }
  return cut
}

/** Counts as the end: within this many pixels of it. */
const NEAR_END_PX = 24

function useFollowing(content: unknown) {
  const box = useRef<HTMLPreElement>(null)
  const [following, setFollowing] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is what moves the end
  useLayoutEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [content, following])
  const onScroll = () => {
    const element = box.current
    if (element === null) return
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END_PX)
  }
  return { box, following, onScroll, toEnd: () => setFollowing(true) }
}
