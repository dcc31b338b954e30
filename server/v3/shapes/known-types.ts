import { supportedTypes } from '../../actions/show/supported-types.ts'

interface Known {
  readonly supported_action_types?: readonly string[] | undefined
  readonly x_actions_version?: readonly string[] | undefined
}

/** The action types that a caller knows. */
export const knownTypes = ({ supported_action_types, x_actions_version }: Known): readonly string[] => [
  ...supportedTypes(x_actions_version ?? supported_action_types ?? []),
]
