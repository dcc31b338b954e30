import type { Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin as VitePlugin } from 'vite'

export declare const tolkForEsbuild: EsbuildPlugin
export declare const tolkForVite: VitePlugin
