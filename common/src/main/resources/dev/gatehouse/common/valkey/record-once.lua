-- KEYS: record. ARGV: text, written unless there is one. Returns the text that is there.
local old = redis.call('GET', KEYS[1])
if old then
  return {0, old}
end
redis.call('SET', KEYS[1], ARGV[1])
return {1, ARGV[1]}
