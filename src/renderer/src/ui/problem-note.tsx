/** Says what did not work, next to what caused it; nothing if all is well. */
export function ProblemNote({ text }: { text: string | null | undefined }) {
  if (text === null || text === undefined) return null
  return (
    <p className="small problem breaks" role="alert">
      {text}
    </p>
  )
}
