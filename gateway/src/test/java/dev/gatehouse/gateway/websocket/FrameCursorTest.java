package dev.gatehouse.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCursorTest {

  private static void frame(ByteArrayOutputStream out, int opcode, boolean masked, int length) {
    out.write(0x80 | opcode);
    int mask = masked ? 0x80 : 0;
    if (length < 126) {
      out.write(mask | length);
    } else if (length < 65536) {
      out.write(mask | 126);
      out.write(length >> 8);
      out.write(length);
    } else {
      out.write(mask | 127);
      for (int i = 7; i >= 0; i--) {
        out.write((int) ((long) length >> 8 * i));
      }
    }
    out.writeBytes(new byte[(masked ? 4 : 0) + length]);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void itIsBetweenFramesExactlyWhereOneEndsHoweverTheyArrive(long seed) {
    Random random = new Random(seed);
    int[] lengths = {0, 1, 5, 125, 126, 127, 300, 65535, 65536, 70_000};
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Set<Integer> ends = new HashSet<>(List.of(0));
    for (int i = 0; i < 40; i++) {
      frame(bytes, random.nextInt(3), random.nextBoolean(), lengths[random.nextInt(lengths.length)]);
      ends.add(bytes.size());
    }
    FrameCursor cursor = new FrameCursor();
    int at = 0;
    while (at < bytes.size()) {
      int step = Math.min(bytes.size() - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 5000));
      cursor.take(ByteBuffer.wrap(bytes.toByteArray(), at, step));
      at += step;
      assertThat(cursor.isBetweenFrames()).as("seed %s at %s", seed, at).isEqualTo(ends.contains(at));
    }
  }

  @Test
  void pingsArePassedOverInSilenceAndBehindACloseNothingMayCome() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    frame(bytes, 9, true, 10);
    frame(bytes, 10, true, 0);
    FrameCursor cursor = new FrameCursor();
    cursor.take(ByteBuffer.wrap(bytes.toByteArray()));
    assertThat(cursor.hasSpoken()).isFalse();
    frame(bytes, 1, true, 1);
    cursor.take(ByteBuffer.wrap(bytes.toByteArray()));
    assertThat(cursor.hasSpoken()).isTrue();
    assertThat(cursor.hasSpoken()).isFalse();
    ByteArrayOutputStream close = new ByteArrayOutputStream();
    frame(close, 8, true, 2);
    cursor.take(ByteBuffer.wrap(close.toByteArray()));
    assertThat(cursor.isBetweenFrames()).isFalse();
  }

  @Test
  void aLengthBeyondAllMeasureIsNeverBetweenFrames() {
    FrameCursor cursor = new FrameCursor();
    cursor.take(ByteBuffer.wrap(new byte[] {(byte) 0x82, 127, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0}));
    assertThat(cursor.isBetweenFrames()).isFalse();
  }

  @Test
  void theAnswerToAKeyIsTheSpecificationsExample() {
    assertThat(Handshake.accept("dGhlIHNhbXBsZSBub25jZQ==")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5})
  void whateverIsAskedForIsOneOfFourThingsAndOnlyTheWholeHandshakeOpens(long seed) {
    Random random = new Random(seed);
    String[] lines = {
      "Upgrade: websocket", "Upgrade: h2c", "upgrade: WebSocket", "Connection: Upgrade", "Connection: close, upgrade", "Connection: x",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 7", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Key: AAAA", "Sec-WebSocket-Protocol: a, b", "Content-Length: 0", "Expect: 100-continue", "Origin: x"
    };
    RequestParser parser = new RequestParser(HeadLimits.standard());
    int opened = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder head = new StringBuilder(random.nextInt(5) == 0 ? "POST" : "GET").append(" / HTTP/1.1\r\nHost: a\r\n");
      for (String line : lines) {
        if (random.nextInt(3) == 0) {
          head.append(line).append("\r\n");
        }
      }
      ParsedRequest parsed = parser.parse(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
      if (parsed instanceof RequestHead request && Handshake.of(request) instanceof Handshake.Asked) {
        opened++;
        String text = head.toString();
        assertThat(text).as("seed %s", seed).startsWith("GET").contains("Sec-WebSocket-Version: 13\r\n");
        assertThat(text).as("seed %s", seed).doesNotContain("h2c").doesNotContain("Expect:").doesNotContain("AAAA");
      }
    }
    assertThat(opened).isPositive();
  }
}
