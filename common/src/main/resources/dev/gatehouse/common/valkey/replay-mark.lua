-- KEYS: mark. ARGV: now, expiry as digits, expiry as eight bytes, prefix of the namespace.
local old = redis.call('GET', KEYS[1])
if old and struct.unpack('>I8', old, 1) > tonumber(ARGV[1]) then
  return {0}
end
redis.call('SET', KEYS[1], ARGV[3])
remember(ARGV[4], ARGV[2], KEYS[1])
return {1}
