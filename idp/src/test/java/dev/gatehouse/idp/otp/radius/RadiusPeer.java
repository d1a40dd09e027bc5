package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.ParsedPacket;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** A client over UDP that also sends what no client should. */
final class RadiusPeer implements AutoCloseable {

  private static final int SOON_MILLIS = 5_000;
  private static final int NEVER_MILLIS = 150;

  private final DatagramSocket socket;
  private final InetSocketAddress server;
  private final Random random = new Random(7);
  final SharedSecret secret;
  private int identifier;
  private byte[] authenticator = new byte[16];

  RadiusPeer(String address, int port, String secret) throws IOException {
    this.socket = new DatagramSocket(new InetSocketAddress(address, 0));
    this.server = new InetSocketAddress("127.0.0.1", port);
    this.secret = new SharedSecret(secret);
  }

  /** Returns an Access-Request with a name and a hidden passcode. */
  byte[] request(String name, String passcode, Consumer<PacketWriter> more) {
    return request(
        writer -> {
          writer.add(AttributeType.USER_NAME, name).add(AttributeType.USER_PASSWORD, secret.hide(passcode, authenticator));
          more.accept(writer);
        });
  }

  byte[] request(String name, String passcode) {
    return request(name, passcode, writer -> {});
  }

  byte[] request(Consumer<PacketWriter> content) {
    return request(PacketCode.ACCESS_REQUEST, content);
  }

  byte[] request(PacketCode code, Consumer<PacketWriter> content) {
    authenticator = new byte[16];
    random.nextBytes(authenticator);
    PacketWriter writer = new PacketWriter(code, identifier++);
    content.accept(writer);
    byte[] packet = writer.request(authenticator, secret).orElseThrow();
    authenticator = Arrays.copyOfRange(packet, 4, 20);
    return packet;
  }

  void send(byte[] packet) throws IOException {
    socket.send(new DatagramPacket(packet, packet.length, server));
  }

  /** Sends a packet and returns its answer, which is authentic. */
  RadiusPacket ask(byte[] packet) throws IOException {
    byte[] answer = askBytes(packet);
    RadiusPacket parsed = ((ParsedPacket.Read) RadiusPacket.parse(answer, answer.length)).packet();
    if (!secret.isResponseTo(Arrays.copyOfRange(packet, 4, 20), parsed)) {
      throw new IllegalStateException("not authentic: " + parsed);
    }
    return parsed;
  }

  byte[] askBytes(byte[] packet) throws IOException {
    send(packet);
    return receive(SOON_MILLIS).orElseThrow(() -> new IllegalStateException("no answer"));
  }

  /** Sends a packet, and returns whether nothing comes back for a moment. */
  boolean getsSilence(byte[] packet) throws IOException {
    send(packet);
    return receive(NEVER_MILLIS).isEmpty();
  }

  Optional<byte[]> receive(int millis) throws IOException {
    socket.setSoTimeout(millis);
    DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
    try {
      socket.receive(packet);
      return Optional.of(Arrays.copyOf(packet.getData(), packet.getLength()));
    } catch (SocketTimeoutException e) {
      return Optional.empty();
    }
  }

  InetAddress address() {
    return socket.getLocalAddress();
  }

  @Override
  public void close() {
    socket.close();
  }
}
