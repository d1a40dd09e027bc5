-- KEYS: value, expiry index, realm index, idle end. ARGV: version that is removed, member, then pairs of bucket and entry.
local old = redis.call('GET', KEYS[1])
if not old or string.sub(old, 1, 8) ~= ARGV[1] then
  return {0}
end
redis.call('DEL', KEYS[1], KEYS[4])
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('ZREM', KEYS[3], ARGV[2])
for i = 3, #ARGV, 2 do
  redis.call('ZREM', ARGV[i], ARGV[i + 1])
end
return {1}
