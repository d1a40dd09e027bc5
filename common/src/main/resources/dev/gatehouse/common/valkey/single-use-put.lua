-- KEYS: value. ARGV: now, value, expiry, prefix of the namespace.
local old = redis.call('GET', KEYS[1])
if old and struct.unpack('>I8', old, 10) > tonumber(ARGV[1]) then
  return {0}
end
redis.call('SET', KEYS[1], ARGV[2])
remember(ARGV[4], ARGV[3], KEYS[1])
return {1}
