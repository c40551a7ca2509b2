import { Component, type ComponentType, lazy, type ReactNode } from 'react'
import { fetchMissedStyles } from './missed-styles.ts'
import { type Missed, NotFetched } from './not-fetched.tsx'

/**
 * Returns a component that is loaded when first shown, so that the first screen does not wait for it. If it cannot be fetched (the host is
 * gone, or was replaced by another version), `Instead` is shown instead, and the rest of the page stays.
 */
export function lazyNamed<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
  Instead: ComponentType<Missed<Props>> = NotFetched,
): ComponentType<Props> {
  const begun = () =>
    lazy(async () => {
      try {
        const [module] = await Promise.all([load(), fetchMissedStyles()])
        return { default: module[name] as ComponentType<object> }
      } catch (cause) {
        throw new FetchError(`${name} could not be fetched.`, { cause })
      }
    })
  let Part = begun()
  // A lazy component keeps its failure forever, so another try needs a new one.
  const beginAnew = () => {
    Part = begun()
  }
  return function Lazy(props: Props) {
    return (
      <FetchBoundary instead={(retry) => <Instead props={props} retry={retry} />} onMissed={beginAnew}>
        {() => <Part {...props} />}
      </FetchBoundary>
    )
  }
}

class FetchError extends Error {}

interface BoundaryProps {
  readonly instead: (retry: () => void) => ReactNode
  /** Called before `instead` can try again, or the part is shown elsewhere. */
  readonly onMissed: () => void
  readonly children: () => ReactNode
}

/** Catches only failed fetches: our own rendering errors must still surface. */
class FetchBoundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error }
  }

  override componentDidCatch(): void {
    this.props.onMissed()
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children()
    if (!(error instanceof FetchError)) throw error
    return this.props.instead(() => this.setState({ error: null }))
  }
}
