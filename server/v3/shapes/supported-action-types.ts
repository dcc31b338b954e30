import { supportedTypes } from '../../protocols/index.ts'

interface ActionTypeParams {
  readonly supported_action_types?: readonly string[] | undefined
  readonly x_actions_version?: readonly string[] | undefined
}

const LATEST: readonly string[] = [...supportedTypes([])]

/** The action types that a caller supports. By default those of the latest version. */
export const actionTypesOf = ({ supported_action_types, x_actions_version }: ActionTypeParams): readonly string[] => {
  const names = x_actions_version ?? supported_action_types ?? []
  return names.length === 0 ? LATEST : [...supportedTypes(names)]
}
