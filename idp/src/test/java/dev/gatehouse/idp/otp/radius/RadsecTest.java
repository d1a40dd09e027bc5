package dev.gatehouse.idp.otp.radius;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.key.PeopleCa.Issued;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.ParsedPacket;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RADIUS over TLS, with the JDK's client: who may come in, and what slow or broken clients cost. */
class RadsecTest {

  private static final SharedSecret RADSEC = new SharedSecret("radsec");
  private static final byte[] AUTHENTICATOR = new byte[16];
  private static final int ACCEPT = 2;

  private final PeopleCa ca = PeopleCa.create("CN=RADIUS CA", Instant.now());
  @TempDir Path folder;
  private Optional<RadiusWorld> world = Optional.empty();

  @BeforeEach
  void start() throws Exception {
    Issued own = ca.issue(CertificateSpec.of("CN=radius", PeopleCa.host("localhost")).purpose(KeyPurposeId.id_kp_serverAuth));
    Path certificate = Files.writeString(folder.resolve("own.pem"), PeopleCa.pem("CERTIFICATE", own.certificate().getEncoded()));
    Path key = Files.writeString(folder.resolve("own.key"), PeopleCa.pem("PRIVATE KEY", own.privateKey().getEncoded()));
    Path authorities = Files.writeString(folder.resolve("ca.pem"), PeopleCa.pem("CERTIFICATE", ca.certificate().getEncoded()));
    world = Optional.of(RadiusWorld.overTls(new Node.Tls(certificate, key), authorities));
  }

  @AfterEach
  void stop() {
    world.ifPresent(RadiusWorld::close);
  }

  private RadiusWorld world() {
    return world.orElseThrow();
  }

  @Test
  void theCertificateNamesTheClient() throws Exception {
    try (SSLSocket vpn = connect(Optional.of(ofHost("VPN.example.org")))) {
      vpn.getOutputStream().write(request(1, "carol", "2468111111"));
      RadiusPacket accept = receive(vpn.getInputStream());
      assertThat(accept.code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
      assertThat(RADSEC.isResponseTo(AUTHENTICATOR, accept)).isTrue();
      assertThat(world().passcodes.asked.getFirst().client()).isEqualTo("radius:vpn");
    }
  }

  @Test
  void requestsOfOneConnectionAreWorkedOnAtTheSameTime() throws Exception {
    try (SSLSocket vpn = connect(Optional.of(ofHost("vpn.example.org")))) {
      ByteArrayOutputStream many = new ByteArrayOutputStream();
      for (int i = 0; i < 200; i++) {
        many.writeBytes(request(i, "carol", "wrong" + i));
      }
      vpn.getOutputStream().write(many.toByteArray());
      Set<Integer> answered = new HashSet<>();
      for (int i = 0; i < 200; i++) {
        answered.add(receive(vpn.getInputStream()).identifier());
      }
      assertThat(answered).hasSize(200);
    }
  }

  @Test
  void clientsThatNobodyNamedAreClosed() throws Exception {
    assertClosed(Optional.of(ofHost("other.example.org")));
    assertThat(world().audit.events(MessageRefused.class)).extracting(MessageRefused::reason).containsExactly("UNKNOWN_CLIENT");
  }

  @Test
  void clientsWithoutCertificateOrWithOneOfAnotherAuthorityAreClosed() throws Exception {
    assertClosed(Optional.empty());
    PeopleCa other = PeopleCa.create("CN=RADIUS CA", Instant.now());
    assertClosed(Optional.of(other.issue(CertificateSpec.of("CN=vpn", PeopleCa.host("vpn.example.org")).purpose(KeyPurposeId.id_kp_clientAuth))));
    assertThat(world().passcodes.asked).isEmpty();
  }

  @Test
  void radiusInClearTextIsClosed() throws Exception {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), world().port())) {
      plain.setSoTimeout(10_000);
      plain.getOutputStream().write(request(1, "carol", "2468111111"));
      // An alert of TLS at most, and then the end.
      byte[] answer = plain.getInputStream().readAllBytes();
      assertThat(answer.length == 0 || answer[0] != ACCEPT).isTrue();
    }
    assertThat(world().passcodes.asked).isEmpty();
  }

  @Test
  void aPacketThatIsNoneEndsTheConnection() throws Exception {
    for (byte[] bad : new byte[][] {new byte[20], new byte[] {1, 0, 0, 4}, cut()}) {
      try (SSLSocket vpn = connect(Optional.of(ofHost("vpn.example.org")))) {
        vpn.getOutputStream().write(bad);
        assertThat(vpn.getInputStream().read()).isEqualTo(-1);
      }
    }
    assertThat(world().metrics.times(Dropped.MALFORMED)).isEqualTo(3);
  }

  private static byte[] cut() {
    byte[] packet = request(1, "carol", "2468111111");
    packet[21] = (byte) 200;
    return packet;
  }

  @Test
  void aPacketOfAnotherSecretGetsSilence() throws Exception {
    try (SSLSocket vpn = connect(Optional.of(ofHost("vpn.example.org")))) {
      byte[] packet = request(1, "carol", "2468111111");
      packet[25] ^= 1;
      vpn.getOutputStream().write(packet);
      vpn.getOutputStream().write(request(2, "carol", "2468111111"));
      assertThat(receive(vpn.getInputStream()).identifier()).isEqualTo(2);
    }
  }

  @Test
  void aPeerThatStallsIsClosedAndOthersAreServed() throws Exception {
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), world().port());
        SSLSocket halfway = connect(Optional.of(ofHost("vpn.example.org")));
        SSLSocket deaf = connect(Optional.of(ofHost("wifi.example.org")));
        SSLSocket vpn = connect(Optional.of(ofHost("vpn.example.org")))) {
      CompletableFuture<Boolean> deafEnded = CompletableFuture.supplyAsync(() -> writeUntilClosed(deaf), Thread::startVirtualThread);
      halfway.getOutputStream().write(Arrays.copyOf(request(1, "carol", "2468111111"), 30));
      vpn.getOutputStream().write(request(2, "carol", "2468222222"));
      assertThat(receive(vpn.getInputStream()).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
      long begun = System.nanoTime();
      assertEnds(silent);
      assertEnds(halfway);
      assertThat(deafEnded.get(14, TimeUnit.SECONDS)).as("who does not read is closed").isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
    }
  }

  /** Asks for long answers and reads none; returns whether the server ended this. */
  private static boolean writeUntilClosed(SSLSocket socket) {
    try {
      for (int i = 0; i < 50_000; i++) {
        PacketWriter writer = new PacketWriter(PacketCode.STATUS_SERVER, i & 0xff);
        for (int proxy = 0; proxy < 15; proxy++) {
          writer.add(AttributeType.PROXY_STATE, new byte[250]);
        }
        socket.getOutputStream().write(writer.request(AUTHENTICATOR, RADSEC).orElseThrow());
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static void assertEnds(Socket socket) throws IOException {
    socket.setSoTimeout(20_000);
    try {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the server holds the connection", e);
    } catch (IOException e) {
      // A reset is an end, too.
    }
  }

  @Test
  void oneAddressHasSoManyConnections() throws Exception {
    java.util.List<Socket> many = new java.util.ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        many.add(new Socket(InetAddress.getLoopbackAddress(), world().port()));
      }
      assertEnds(many.getLast());
      assertThat(world().metrics.times(Dropped.OVERLOADED)).isPositive();
    } finally {
      for (Socket socket : many) {
        socket.close();
      }
    }
  }

  private Issued ofHost(String name) {
    return ca.issue(CertificateSpec.of("CN=client", PeopleCa.host(name)).purpose(KeyPurposeId.id_kp_clientAuth));
  }

  private void assertClosed(Optional<Issued> client) {
    assertThatThrownBy(
            () -> {
              try (SSLSocket socket = connect(client)) {
                socket.getOutputStream().write(request(1, "carol", "2468111111"));
                receive(socket.getInputStream());
              }
            })
        .isInstanceOf(IOException.class);
  }

  private SSLSocket connect(Optional<Issued> client) throws Exception {
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    if (client.isPresent()) {
      own.setKeyEntry("client", client.get().privateKey(), new char[0], new X509Certificate[] {client.get().certificate()});
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(own, new char[0]);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", ca.certificate());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", world().port());
    socket.setSoTimeout(10_000);
    socket.startHandshake();
    return socket;
  }

  private static byte[] request(int identifier, String name, String passcode) {
    Consumer<PacketWriter> content =
        w -> w.add(AttributeType.USER_NAME, name).add(AttributeType.USER_PASSWORD, RADSEC.hide(passcode, AUTHENTICATOR));
    PacketWriter writer = new PacketWriter(PacketCode.ACCESS_REQUEST, identifier);
    content.accept(writer);
    return writer.request(AUTHENTICATOR, RADSEC).orElseThrow();
  }

  private static RadiusPacket receive(InputStream in) throws IOException {
    byte[] head = in.readNBytes(4);
    if (head.length < 4) {
      throw new IOException("closed");
    }
    int length = (head[2] & 0xff) << 8 | head[3] & 0xff;
    byte[] packet = Arrays.copyOf(head, length);
    in.readNBytes(packet, 4, length - 4);
    return ((ParsedPacket.Read) RadiusPacket.parse(packet, length)).packet();
  }
}
