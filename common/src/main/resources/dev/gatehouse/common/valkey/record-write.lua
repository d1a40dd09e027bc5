-- KEYS: record. ARGV: text.
redis.call('SET', KEYS[1], ARGV[1])
return {1}
