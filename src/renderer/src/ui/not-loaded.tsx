import { Button } from './button.tsx'

/** Says that something could not be loaded, and why, with a button to try again. */
export function NotLoaded({
  what,
  problem: { message },
  retry,
}: {
  what: string
  problem: { readonly message: string }
  retry: () => void
}) {
  return (
    <p role="alert">
      {what} could not be loaded. {message}{' '}
      <Button look="quiet" onClick={retry}>
        Try again
      </Button>
    </p>
  )
}
