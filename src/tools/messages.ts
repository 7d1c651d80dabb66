import { fileURLToPath } from 'node:url'
import { type NodePath, types } from '@babel/core'
import { getConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'

/** The comment that lingui's plugin puts before each message descriptor. */
const MARK = '* i18n '

const configPath = fileURLToPath(new URL('./lingui.config.ts', import.meta.url))

/**
 * Builds the texts of the dashboard: `t` and `<Trans>` become calls with their English text, compiled, and the id of
 * its translations. So English needs no catalogue in the browser, and no language needs a parser.
 */
export function messages() {
  const options = { descriptorFields: 'message', linguiConfig: getConfig({ configPath }) } as const
  const preset = linguiTransformerBabelPreset(options, { configPath })
  return [
    babel({ presets: [{ ...preset, preset: { plugins: [compiledMessages] } }, preset] }),
    lingui({ configPath, failOnCompileError: true }),
  ]
}

/** Compiles the messages that lingui's own plugin left as text. */
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
