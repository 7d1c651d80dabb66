import { expect, test } from 'vitest'
import { readBlobUrl } from './blob-place.ts'
import { readConfig } from './config.ts'

const place = { bucket: 'my-bucket', prefix: '', endpoint: undefined, region: undefined, encryption: {} }

test.each([
  ['file:///srv/content', { folder: '/srv/content' }],
  ['file:///srv/with%20space', { folder: '/srv/with space' }],
  ['s3://my-bucket', place],
  ['s3://my-bucket/', place],
  ['s3://my-bucket/a/b-c', { ...place, prefix: 'a/b-c/' }],
  ['s3://my-bucket/a/?region=eu-central-1', { ...place, prefix: 'a/', region: 'eu-central-1' }],
  ['s3://my-bucket?endpoint=http://10.0.0.1:9000/', { ...place, endpoint: 'http://10.0.0.1:9000' }],
  ['s3://my-bucket?endpoint=https%3A%2F%2Fs3.example.com', { ...place, endpoint: 'https://s3.example.com' }],
  ['s3://my-bucket?sse=AES256', { ...place, encryption: { ServerSideEncryption: 'AES256' } }],
  [
    's3://my-bucket?sse=aws:kms&kms_key=arn:aws:kms:eu:1:key/a-b',
    { ...place, encryption: { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: 'arn:aws:kms:eu:1:key/a-b' } },
  ],
])('%s names a place', (url, expected) => {
  expect(readBlobUrl(url)).toEqual(expected)
})

test.each([
  ['http://my-bucket/x', 'file:///folder or s3://'],
  ['my-bucket', 'file:///folder or s3://'],
  ['file://host/srv', 'must name a folder'],
  ['file:srv', 'must name a folder'],
  ['file:///', 'must name a folder'],
  ['file:///srv?x', 'must name a folder'],
  ['s3://KEY:SECRET@my-bucket/x', 'must not have credentials'],
  ['s3://a', 'name of a bucket'],
  ['s3://My_Bucket', 'name of a bucket'],
  ['s3://my-bucket:80/x', 'name of a bucket'],
  ['s3://my-bucket/../other', 'prefix'],
  ['s3://my-bucket/a/../../b', 'prefix'],
  ['s3://my-bucket/a/%2e%2e/b', 'prefix'],
  ['s3://my-bucket/a//b', 'prefix'],
  ['s3://my-bucket/.hidden', 'prefix'],
  ['s3://my-bucket/a b', 'prefix'],
  ['s3://my-bucket/ä', 'prefix'],
  ['s3://my-bucket/x?secret=abc', 'may have only the parameters'],
  ['s3://my-bucket/x#y', 'may have only the parameters'],
  ['s3://my-bucket?endpoint=ftp://x', 'endpoint'],
  ['s3://my-bucket?endpoint=http://a:b@x', 'endpoint'],
  ['s3://my-bucket?endpoint=http://x/path', 'endpoint'],
  ['s3://my-bucket?endpoint=http://x?y=1', 'endpoint'],
  ['s3://my-bucket?region=eu/west', 'region'],
  ['s3://my-bucket?sse=mine', 'sse'],
  ['s3://my-bucket?kms_key=abc', 'kms_key'],
])('K42: %s is refused in a sentence that does not repeat it', (url, problem) => {
  const env = { DATABASE_URL: 'postgresql://x', MASTER_KEY: '0'.repeat(64), BLOB_URL: url }
  let message = ''
  try {
    readConfig(env)
  } catch (error) {
    message = (error as Error).message
  }
  expect(message).toMatch(/^BLOB_URL [^\n]+$/)
  expect(message).toContain(problem)
  expect(message).not.toMatch(/SECRET|abc|a:b/)
})
