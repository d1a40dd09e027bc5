package dev.gatehouse.gateway.netty.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientHelloTest {

  private static final List<Integer> SUITES = List.of(0x1301, 0x1302, 0xc02b);
  private static final Extension VERSIONS = new Extension(43, new byte[] {2, 3, 4});
  private static final Extension GROUPS = new Extension(10, new byte[] {0, 4, 0x11, (byte) 0xec, 0, 0x1d});
  private static final Extension ALGORITHMS = new Extension(13, new byte[] {0, 4, 4, 3, 8, 4});

  private record Extension(int type, byte[] value) {}

  private static ByteBuf hello(List<Integer> suites, List<Extension> extensions) {
    ByteBuf hello = Unpooled.buffer();
    hello.writeShort(0x0303).writeZero(32).writeByte(4).writeInt(7);
    hello.writeShort(2 * suites.size());
    suites.forEach(hello::writeShort);
    hello.writeByte(1).writeByte(0);
    ByteBuf all = Unpooled.buffer();
    for (Extension extension : extensions) {
      all.writeShort(extension.type()).writeShort(extension.value().length).writeBytes(extension.value());
    }
    return hello.writeShort(all.readableBytes()).writeBytes(all);
  }

  private static int digest(List<Integer> suites, Extension... extensions) {
    return ClientHello.digest(hello(suites, List.of(extensions)));
  }

  private static final int CHROMIUM = digest(SUITES, VERSIONS, GROUPS, ALGORITHMS);

  @Test
  void whatOneBrowserSendsOnSomeConnectionsOnlyDoesNotCount() {
    assertThat(CHROMIUM).isBetween(1, 65_535);
    assertThat(digest(SUITES, ALGORITHMS, VERSIONS, GROUPS)).as("shuffled").isEqualTo(CHROMIUM);
    assertThat(digest(List.of(0x4a4a, 0x1301, 0x1302, 0xc02b), new Extension(0xdada, new byte[1]), VERSIONS, GROUPS, ALGORITHMS))
        .as("GREASE")
        .isEqualTo(CHROMIUM);
    assertThat(digest(SUITES, new Extension(0, new byte[9]), VERSIONS, GROUPS, ALGORITHMS, new Extension(41, new byte[80])))
        .as("another name, and a session that goes on")
        .isEqualTo(CHROMIUM);
    assertThat(digest(SUITES, VERSIONS, new Extension(10, new byte[] {0, 6, 0x1a, 0x1a, 0x11, (byte) 0xec, 0, 0x1d}), ALGORITHMS))
        .as("GREASE among the groups")
        .isEqualTo(CHROMIUM);
  }

  @Test
  void suitesExtensionsGroupsAndAlgorithmsCount() {
    assertThat(
            List.of(
                digest(List.of(0x1302, 0x1301, 0xc02b), VERSIONS, GROUPS, ALGORITHMS),
                digest(List.of(0x1301, 0x1302), VERSIONS, GROUPS, ALGORITHMS),
                digest(SUITES, GROUPS, ALGORITHMS),
                digest(SUITES, VERSIONS, GROUPS, ALGORITHMS, new Extension(22, new byte[0])),
                digest(SUITES, VERSIONS, new Extension(10, new byte[] {0, 4, 0, 0x1d, 0x11, (byte) 0xec}), ALGORITHMS),
                digest(SUITES, VERSIONS, GROUPS, new Extension(13, new byte[] {0, 2, 4, 3})),
                CHROMIUM))
        .doesNotHaveDuplicates();
  }

  @Test
  void aMessageThatEndsEarlyIsNoError() {
    ByteBuf whole = hello(SUITES, List.of(VERSIONS, GROUPS, ALGORITHMS));
    assertThat(ClientHello.verifiesEcdsa(whole)).isTrue();
    for (int length = 0; length < whole.readableBytes(); length++) {
      ByteBuf cut = Unpooled.copiedBuffer(whole.slice(0, length));
      assertThat(ClientHello.digest(cut)).isBetween(1, ClientHello.UNREAD);
      ClientHello.verifiesEcdsa(cut);
    }
    assertThat(ClientHello.digest(Unpooled.copiedBuffer(whole.slice(0, 40)))).isEqualTo(ClientHello.UNREAD);
    assertThat(ClientHello.verifiesEcdsa(hello(SUITES, List.of(VERSIONS)))).isFalse();
  }
}
