package dev.gatehouse.gateway.netty.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.netty.RawHttp2;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where frames end, however they arrive; and how many of them are too many. */
class FrameScanTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private static void scan(FrameScan scan, byte[] bytes, int from, int to) {
    ByteBuf part = Unpooled.wrappedBuffer(bytes, from, to - from);
    scan.scan(part);
    assertThat(part.readableBytes()).isEqualTo(to - from);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everyCutGivesTheSameFrames(long seed) {
    Random random = new Random(seed);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[24]);
    int frames = 50;
    for (int i = 0; i < frames; i++) {
      int type = random.nextInt(9);
      int flags = type == RawHttp2.HEADERS ? RawHttp2.END_HEADERS : 0;
      bytes.writeBytes(RawHttp2.bytes(type, flags, random.nextInt(100), new byte[random.nextInt(40)]));
    }
    byte[] all = bytes.toByteArray();
    FrameScan scan = new FrameScan(24);
    for (int at = 0; at < all.length; ) {
      int to = Math.min(all.length, at + 1 + random.nextInt(30));
      scan(scan, all, at, to);
      at = to;
    }
    // The preface counts as one.
    assertThat(scan.completed()).as("seed " + seed).isEqualTo(frames + 1);
    assertThat(scan.isInside()).as("seed " + seed).isFalse();
  }

  @Test
  void aHeadIsFinishedWithItsLastContinuation() {
    FrameScan scan = new FrameScan(0);
    byte[] head = RawHttp2.bytes(RawHttp2.HEADERS, 0, 1, new byte[5]);
    scan(scan, head, 0, head.length);
    assertThat(scan.isInside()).isTrue();
    byte[] more = RawHttp2.bytes(RawHttp2.CONTINUATION, 0, 1, new byte[0]);
    scan(scan, more, 0, more.length);
    assertThat(scan.isInside()).isTrue();
    assertThat(scan.completed()).isZero();
    byte[] last = RawHttp2.bytes(RawHttp2.CONTINUATION, RawHttp2.END_HEADERS, 1, new byte[5]);
    scan(scan, last, 0, last.length);
    assertThat(scan.isInside()).isFalse();
    assertThat(scan.completed()).isEqualTo(1);
  }

  @Test
  void aPartOfAHeaderIsInside() {
    FrameScan scan = new FrameScan(0);
    byte[] ping = RawHttp2.bytes(RawHttp2.PING, 0, 0, new byte[8]);
    scan(scan, ping, 0, 4);
    assertThat(scan.isInside()).isTrue();
    scan(scan, ping, 4, 16);
    assertThat(scan.isInside()).isTrue();
    scan(scan, ping, 16, 17);
    assertThat(scan.isInside()).isFalse();
  }

  @Test
  void aBudgetIsSpentEarnedAndGrowsBackWithTime() {
    long begin = Long.MAX_VALUE - SECOND;
    FrameBudget budget = new FrameBudget(3, 10, begin);
    for (int i = 0; i < 3; i++) {
      assertThat(budget.spend(begin)).isTrue();
    }
    assertThat(budget.spend(begin)).isFalse();
    budget.earn(1);
    assertThat(budget.spend(begin)).isTrue();
    assertThat(budget.spend(begin + SECOND / 20)).isFalse();
    assertThat(budget.spend(begin + SECOND / 10)).isTrue();
    assertThat(budget.spend(begin + SECOND / 10)).isFalse();
    // Never more than at first.
    for (int i = 0; i < 3; i++) {
      assertThat(budget.spend(begin + 100 * SECOND)).isTrue();
    }
    assertThat(budget.spend(begin + 100 * SECOND)).isFalse();
  }
}
