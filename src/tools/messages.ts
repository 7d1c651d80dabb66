import { fileURLToPath } from 'node:url'
import { type NodePath, types } from '@babel/core'
import { getConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'

/** The comment of lingui's plugin before what it made. */
const MARK = '* i18n '

const configPath = fileURLToPath(new URL('./lingui.config.ts', import.meta.url))

/**
 * The texts of the dashboard: `t` and `<Trans>` become calls that carry their English, compiled, beside the id under
 * which a catalogue has the translation. So English needs no catalogue in the browser, and no language a parser.
 */
export function messages() {
  const options = { descriptorFields: 'message', linguiConfig: getConfig({ configPath }) } as const
  const preset = linguiTransformerBabelPreset(options, { configPath })
  return [
    babel({ presets: [{ ...preset, preset: { plugins: [compiledMessages] } }, preset] }),
    lingui({ configPath, failOnCompileError: true }),
  ]
}

/** Compiles what lingui's own plugin left as text. */
function compiledMessages() {
  return {
    visitor: {
      Program: {
        exit(program: NodePath<types.Program>) {
          program.traverse({
            ObjectExpression({ node }) {
              if (!node.leadingComments?.some(({ value }) => value === MARK)) return
              for (const property of node.properties) compile(property)
            },
          })
        },
      },
    },
  }
}

function compile(property: types.ObjectExpression['properties'][number]) {
  if (!types.isObjectProperty(property) || !types.isIdentifier(property.key, { name: 'message' })) return
  if (types.isStringLiteral(property.value)) property.value = types.valueToNode(compileMessage(property.value.value))
}
