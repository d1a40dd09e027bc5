package dev.gatehouse.idp.authn;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many sign-ons may wait at once, by address and in all. Counted in memory: after a restart those from before expire
 * unseen.
 *
 * <p>With IPv6 an address is a /64. Whoever has one often has many, a home 256 and a company 65,536, and could fill what is
 * there for all; so each /48 has a bound too, four times as high, and each /32 one of sixteen times.
 */
public final class PendingLimit {

  /** How long one may wait. */
  public static final Duration LIFE = Duration.ofHours(1);

  private final int perAddress;
  private final int inAll;
  private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
  private final Cache<String, List<Block>> addresses;

  /** Addresses that are counted together. */
  private record Block(String prefix, int most) {}

  /** Enough for the people of a large office behind one address; in all about 1 GB on disk at worst. */
  public PendingLimit(InstantSource clock) {
    this(2_000, 200_000, LIFE, clock);
  }

  PendingLimit(int perAddress, int inAll, Duration life, InstantSource clock) {
    this.perAddress = perAddress;
    this.inAll = inAll;
    Ticker ticker = () -> Duration.between(java.time.Instant.EPOCH, clock.instant()).toNanos();
    this.addresses =
        Caffeine.newBuilder()
            .expireAfterWrite(life)
            .ticker(ticker)
            .executor(Runnable::run)
            .<String, List<Block>>removalListener(
                (key, blocks, cause) -> {
                  if (blocks != null) {
                    blocks.forEach(this::giveBack);
                  }
                })
            .build();
  }

  public boolean admit(String key, InetAddress client) {
    List<Block> blocks = blocks(client);
    if (addresses.estimatedSize() >= inAll || blocks.stream().anyMatch(this::isFull)) {
      addresses.cleanUp();
    }
    if (addresses.estimatedSize() >= inAll) {
      return false;
    }
    for (int taken = 0; taken < blocks.size(); taken++) {
      if (!take(blocks.get(taken))) {
        blocks.subList(0, taken).forEach(this::giveBack);
        return false;
      }
    }
    addresses.put(key, blocks);
    return true;
  }

  public void release(String key) {
    addresses.invalidate(key);
  }

  private boolean isFull(Block block) {
    return counts.getOrDefault(block.prefix(), 0) >= block.most();
  }

  private boolean take(Block block) {
    if (counts.merge(block.prefix(), 1, Integer::sum) <= block.most()) {
      return true;
    }
    giveBack(block);
    return false;
  }

  private void giveBack(Block block) {
    counts.computeIfPresent(block.prefix(), (prefix, n) -> n > 1 ? n - 1 : null);
  }

  private List<Block> blocks(InetAddress client) {
    byte[] bytes = client.getAddress();
    if (!(client instanceof Inet6Address)) {
      return List.of(new Block(HexFormat.of().formatHex(bytes), perAddress));
    }
    return List.of(
        new Block("64:" + HexFormat.of().formatHex(bytes, 0, 8), perAddress),
        new Block("48:" + HexFormat.of().formatHex(bytes, 0, 6), 4 * perAddress),
        new Block("32:" + HexFormat.of().formatHex(bytes, 0, 4), 16 * perAddress));
  }
}
