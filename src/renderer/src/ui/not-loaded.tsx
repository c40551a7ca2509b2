import { Button } from './button.tsx'

/** That something could not be loaded, why, and the way to try again. */
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
