import { withoutSecrets } from '../base/secrets.ts'
import { type Config, type Origins, type OwnSettings, SETTINGS, type SettingName, settingNames } from '../config/settings.ts'
import { formatTable } from './usage.ts'

/** JSON of a value without passwords of URLs. */
const shownText = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? withoutSecrets(each) : each)) ?? 'none'

const written = (name: string, value: unknown): unknown => {
  const setting = SETTINGS[name as SettingName] as { readonly written?: (value: unknown) => unknown } | undefined
  return setting?.written === undefined ? value : setting.written(value)
}

export const describeConfig = (config: Config, origins: Origins): string => {
  const own = Object.entries(config.networks).flatMap(([network, settings]) =>
    Object.entries(settings as OwnSettings).map(([name, value]) => [`networks.${network}.${name}`, written(name, value), 'file'] as const),
  )
  const rows = [...settingNames.map((name) => [name, written(name, config[name]), origins[name]] as const), ...own]
  return formatTable(rows.map(([name, value, origin]) => [name, `${shownText(value)}  (${origin})`])).join('\n')
}
