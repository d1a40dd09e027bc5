package dev.gatehouse.idp.agent.radius;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.idp.agent.server.Asked;
import dev.gatehouse.idp.agent.server.RealmAnswer;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.ParsedPacket;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets of this host, made by hand: which are taken, and what they get. */
final class LocalRadiusTest {

  private static final SharedSecret SECRET = new SharedSecret("the secret of this host");
  private static final SharedSecret FOREIGN = new SharedSecret("another secret");
  private static final SecureRandom RANDOM = new SecureRandom();

  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private volatile RealmAnswer answer = new RealmAnswer.Accepted("carol", Optional.empty());
  private Optional<LocalRadius> opened = Optional.empty();

  @BeforeEach
  void open() throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    LocalRadiusSettings settings = new LocalRadiusSettings(anyPort, new Secret("the secret of this host"), Set.of(), "en");
    opened =
        Optional.of(
            LocalRadius.open(
                settings,
                question -> {
                  asked.add(question);
                  return answer;
                }));
  }

  @AfterEach
  void close() {
    opened.ifPresent(LocalRadius::close);
  }

  private static byte[] authenticator() {
    byte[] random = new byte[16];
    RANDOM.nextBytes(random);
    return random;
  }

  /** An Access-Request without Message-Authenticator, as Debian's module sends it. */
  private static byte[] unsigned(SharedSecret secret, byte[] authenticator, String name, String password, byte[] more) throws IOException {
    ByteArrayOutputStream attributes = new ByteArrayOutputStream();
    add(attributes, 1, name.getBytes(StandardCharsets.UTF_8));
    add(attributes, 2, secret.hide(password, authenticator));
    attributes.write(more);
    byte[] packet = new byte[20 + attributes.size()];
    packet[0] = 1;
    packet[1] = 7;
    packet[2] = (byte) (packet.length >> 8);
    packet[3] = (byte) packet.length;
    System.arraycopy(authenticator, 0, packet, 4, 16);
    System.arraycopy(attributes.toByteArray(), 0, packet, 20, attributes.size());
    return packet;
  }

  private static void add(ByteArrayOutputStream attributes, int type, byte[] value) throws IOException {
    attributes.write(type);
    attributes.write(value.length + 2);
    attributes.write(value);
  }

  private static byte[] signed(SharedSecret secret, byte[] authenticator, PacketCode code, String password) {
    PacketWriter writer = new PacketWriter(code, 9);
    if (code == PacketCode.ACCESS_REQUEST) {
      writer.add(AttributeType.USER_NAME, "carol").add(AttributeType.USER_PASSWORD, secret.hide(password, authenticator));
    }
    return writer.request(authenticator, secret).orElseThrow();
  }

  /** Sends packets and returns the last answer, if there is one soon. */
  private Optional<RadiusPacket> exchange(int waitMillis, byte[]... packets) throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(waitMillis);
      Optional<RadiusPacket> last = Optional.empty();
      for (byte[] packet : packets) {
        socket.send(new DatagramPacket(packet, packet.length, InetAddress.getLoopbackAddress(), opened.orElseThrow().port()));
        byte[] buffer = new byte[4096];
        DatagramPacket received = new DatagramPacket(buffer, buffer.length);
        try {
          socket.receive(received);
        } catch (SocketTimeoutException e) {
          return Optional.empty();
        }
        last =
            RadiusPacket.parse(buffer,
                received.getLength()) instanceof ParsedPacket.Read(RadiusPacket read) ? Optional.of(read) : Optional.empty();
      }
      return last;
    }
  }

  private RadiusPacket answered(byte[] authenticator, byte[]... packets) throws IOException {
    RadiusPacket packet = exchange(20_000, packets).orElseThrow();
    assertThat(SECRET.isResponseTo(authenticator, packet)).as("signed with our secret").isTrue();
    return packet;
  }

  @Test
  void aRequestWithoutSignatureIsTakenAndItsAnswerIsSigned() throws IOException {
    byte[] authenticator = authenticator();
    RadiusPacket packet = answered(authenticator,
        unsigned(SECRET, authenticator, "carol", "2468123456", new byte[] {31, 11, '1', '9', '2', '.', '0', '.', '2', '.', '7'}));
    assertThat(packet.code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    assertThat(packet.has(AttributeType.MESSAGE_AUTHENTICATOR)).isTrue();
    assertThat(asked).containsExactly(new Asked("carol", "2468123456", Optional.empty(), "192.0.2.7"));
  }

  @Test
  void whoeverDoesNotHaveTheSecretGetsSilenceAndCountsNothing() throws IOException {
    for (int i = 0; i < 3; i++) {
      byte[] authenticator = authenticator();
      assertThat(exchange(300, unsigned(FOREIGN, authenticator, "carol", "2468123456", new byte[0]))).isEmpty();
    }
    byte[] authenticator = authenticator();
    assertThat(exchange(300, signed(FOREIGN, authenticator, PacketCode.ACCESS_REQUEST, "1"))).as("signed with another").isEmpty();
    assertThat(exchange(300, new byte[] {1, 2, 3})).isEmpty();
    byte[] changed = signed(SECRET, authenticator, PacketCode.ACCESS_REQUEST, "1");
    changed[changed.length - 1] ^= 1;
    assertThat(exchange(300, changed)).as("changed on its way").isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void aRequestThatComesAgainGetsTheSameAnswerAndIsAskedAboutOnce() throws IOException {
    byte[] authenticator = authenticator();
    byte[] packet = signed(SECRET, authenticator, PacketCode.ACCESS_REQUEST, "2468123456");
    assertThat(answered(authenticator, packet, packet, packet).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    assertThat(asked).hasSize(1);
  }

  @Test
  void anUnsignedAuthenticatorCountsForOnePacket() throws IOException {
    byte[] authenticator = authenticator();
    byte[] packet = unsigned(SECRET, authenticator, "carol", "2468123456", new byte[0]);
    assertThat(answered(authenticator, packet, packet).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    assertThat(exchange(300, packet)).as("from another port").isEmpty();
    packet[1]++;
    assertThat(exchange(300, packet)).as("with another identifier").isEmpty();
    assertThat(exchange(300, unsigned(SECRET, authenticator, "dave", "2468123457", new byte[0]))).as("for somebody else").isEmpty();
    assertThat(asked).hasSize(1);
  }

  @Test
  void withoutANameThereIsNoAnswer() throws IOException {
    byte[] authenticator = authenticator();
    assertThat(exchange(300, unsigned(SECRET, authenticator, " ", "2468123456", new byte[0]))).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void otherUsersOfTheHostNeedASignature() throws IOException {
    close();
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    LocalRadiusSettings settings = new LocalRadiusSettings(anyPort, new Secret("the secret of this host"), Set.of(), "en");
    List<Path> tables = List.of(Path.of("/proc/self/net/udp"), Path.of("/proc/self/net/udp6"));
    LocalSenders somebody = new LocalSenders(tables, Set.of(4_000_000_000L));
    opened = Optional.of(LocalRadius.open(settings, question -> answer, somebody));
    byte[] authenticator = authenticator();
    assertThat(exchange(300, unsigned(SECRET, authenticator, "carol", "2468123456", new byte[0]))).isEmpty();
    byte[] other = authenticator();
    assertThat(answered(other, signed(SECRET, other, PacketCode.ACCESS_REQUEST, "2468123456")).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    assertThatThrownBy(() -> LocalSenders.of(Set.of("nobody-of-this-name")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no user");
  }

  @Test
  void theKernelSaysWhoSends(@TempDir Path folder) throws IOException {
    Path table = folder.resolve("udp");
    Files.writeString(
        table,
        """
           sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
         1: 0100007F:1F90 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1 2 0000000000000000 0
         2: 00000000:1F91 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 2 2 0000000000000000 0
         3: 0200007F:1F92 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 3 2 0000000000000000 0
         4: 0000000000000000FFFF00000100007F:1F93 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000 0 0 4 2 0 0
        """);
    LocalSenders root = new LocalSenders(List.of(table, folder.resolve("none")), Set.of(0L));
    assertThat(root.isOurs(new InetSocketAddress("127.0.0.1", 0x1F90))).isTrue();
    assertThat(root.isOurs(new InetSocketAddress("127.0.0.1", 0x1F91))).as("of another user").isFalse();
    assertThat(root.isOurs(new InetSocketAddress("127.0.0.1", 0x1F92))).as("another address").isFalse();
    assertThat(root.isOurs(new InetSocketAddress("127.0.0.1", 0x1F93))).as("a socket of both families").isTrue();
    assertThat(root.isOurs(new InetSocketAddress("127.0.0.1", 9))).as("no socket any more").isFalse();
  }

  @Test
  void whatTheRealmSaysBecomesAPacket() throws IOException {
    answer = new RealmAnswer.Rejected();
    assertThat(text(PacketCode.ACCESS_REJECT)).startsWith("Not accepted.");
    answer = new RealmAnswer.Unknown();
    assertThat(text(PacketCode.ACCESS_REJECT)).startsWith("No answer came. Wait for the next code");
    answer = new RealmAnswer.Challenged(Question.NEXT_CODE, "0:xyz", Optional.empty());
    assertThat(text(PacketCode.ACCESS_CHALLENGE)).startsWith("Wait until the code");
    answer = new RealmAnswer.Unavailable(false);
    byte[] authenticator = authenticator();
    byte[] packet = signed(SECRET, authenticator, PacketCode.ACCESS_REQUEST, "1");
    assertThat(exchange(300, packet)).as("nothing was decided").isEmpty();
    answer = new RealmAnswer.Accepted("carol", Optional.empty());
    assertThat(answered(authenticator, packet).code()).as("the same request later").isEqualTo(PacketCode.ACCESS_ACCEPT);
    byte[] state = new byte[] {24, 7, '0', ':', 'x', 'y', 'z'};
    byte[] next = authenticator();
    answered(next, unsigned(SECRET, next, "carol", "123457", state));
    assertThat(asked.getLast()).isEqualTo(new Asked("carol", "123457", Optional.of("0:xyz"), ""));
  }

  private String text(PacketCode expected) throws IOException {
    byte[] authenticator = authenticator();
    RadiusPacket packet = answered(authenticator, signed(SECRET, authenticator, PacketCode.ACCESS_REQUEST, "1"));
    assertThat(packet.code()).isEqualTo(expected);
    return packet.text(AttributeType.REPLY_MESSAGE).orElse("");
  }

  @Test
  void statusServerNeedsASignature() throws IOException {
    byte[] authenticator = authenticator();
    byte[] status = signed(SECRET, authenticator, PacketCode.STATUS_SERVER, "");
    assertThat(answered(authenticator, status).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    byte[] bare = Arrays.copyOf(status, 20);
    bare[3] = 20;
    assertThat(exchange(300, bare)).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void itListensOnLoopbackOnly() {
    assertThatThrownBy(() -> new LocalRadiusSettings(new InetSocketAddress("0.0.0.0", 1812), new Secret("s"), Set.of(), "en"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
