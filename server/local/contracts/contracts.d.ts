/** A contract, compiled where the project is bundled (server/tolk.mjs). */
declare module '*.tolk' {
  /** Base64 of the code's BoC. */
  export const code: string
}
