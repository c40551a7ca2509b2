import { SelectField } from '../../ui/select-field.tsx'
import { GROUPING_WORDS, GROUPINGS, type Grouping, ORDER_WORDS, ORDERS, type Order } from './arrange.ts'
import { useKeptChoice } from './use-kept-choice.ts'

/** How the list of workspaces is arranged; this browser remembers it. */
export function useArrangement() {
  const [order, setOrder] = useKeptChoice<Order>('pulseward-list-order', ORDERS, 'urgency')
  const [by, setBy] = useKeptChoice<Grouping>('pulseward-list-groups', GROUPINGS, 'none')
  return { order, setOrder, by, setBy }
}

export type Arrangement = ReturnType<typeof useArrangement>

/** The order and grouping of the list, next to its filter: in a separate row they would push the list out of the window. */
export function ListChoices({ order, setOrder, by, setBy }: Arrangement) {
  return (
    <>
      <SelectField label="Order" value={order} onChange={({ target }) => setOrder(target.value as Order)}>
        {ORDERS.map((each) => (
          <option key={each} value={each}>
            {ORDER_WORDS[each]}
          </option>
        ))}
      </SelectField>
      <SelectField label="Group by" value={by} onChange={({ target }) => setBy(target.value as Grouping)}>
        {GROUPINGS.map((each) => (
          <option key={each} value={each}>
            {GROUPING_WORDS[each]}
          </option>
        ))}
      </SelectField>
    </>
  )
}
