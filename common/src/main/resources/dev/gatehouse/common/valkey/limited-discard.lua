-- KEYS: see limited.lua. ARGV: now, entry, prefix of the entries of a network.
local value = redis.call('GET', KEYS[1])
leave(ARGV[2], ARGV[3])
if value and struct.unpack('>I8', value, 10) > tonumber(ARGV[1]) and string.byte(value, 1) == 0 then
  redis.call('DEL', KEYS[1])
  return {1}
end
return {0}
