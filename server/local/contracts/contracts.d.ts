/** A contract, compiled where the project is bundled (server/build/tolk.mjs). */
declare module '*.tolk' {
  /** Base64 of the code's BoC. */
  export const code: string
}
