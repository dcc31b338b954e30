import { supportedTypes } from '../../protocols/index.ts'

interface ActionTypeParams {
  readonly supported_action_types?: readonly string[] | undefined
  readonly x_actions_version?: readonly string[] | undefined
}

/** Types for callers who do not name any. */
const LATEST: readonly string[] = [...supportedTypes([])]

/** The action types that a caller supports. */
export const actionTypesOf = ({ supported_action_types, x_actions_version }: ActionTypeParams): readonly string[] => {
  const names = x_actions_version ?? supported_action_types ?? []
  return names.length === 0 ? LATEST : [...supportedTypes(names)]
}
