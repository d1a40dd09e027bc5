package dev.gatehouse.perf.otp;

import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.ParsedPacket;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Random;

/** A VPN server that asks about one person after the other by PAP, and waits for each answer. Each person logs in once in a time step. */
final class RadiusUser implements ClosedLoad.User {

  static final String SECRET = "secret-of-the-benchmark";

  /** UDP and IPv4. */
  private static final int HEADERS = 28;

  /** As VPN servers do: the same packet again. */
  private static final int PATIENCE_MILLIS = 3_000;

  private static final int TRIES = 10;

  private final int port;
  private final PeopleInTurn people;
  private final WireBytes bytes;
  private final Random random = new Random();
  private final SharedSecret secret = new SharedSecret(SECRET);
  private DatagramSocket socket;
  private int identifier;

  RadiusUser(int port, PeopleInTurn people, WireBytes bytes) throws IOException {
    this.port = port;
    this.people = people;
    this.bytes = bytes;
    this.socket = open();
  }

  private static DatagramSocket open() throws IOException {
    DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  @Override
  public void reconnect() throws IOException {
    socket.close();
    socket = open();
  }

  @Override
  public int once() throws IOException {
    PeopleInTurn.Turn turn = people.next();
    String name = People.name(turn.person());
    if (ask(name, OtpPeople.passcode(turn.person(), turn.step())) != PacketCode.ACCESS_ACCEPT) {
      throw new IOException("not accepted: " + name + " with the code of step " + turn.step());
    }
    return 1;
  }

  /** Asks about a passcode; throws if the answer is not authentic, or if there is none. */
  PacketCode ask(String name, String passcode) throws IOException {
    byte[] authenticator = new byte[16];
    random.nextBytes(authenticator);
    byte[] packet =
        new PacketWriter(PacketCode.ACCESS_REQUEST, identifier++)
            .add(AttributeType.USER_NAME, name)
            .add(AttributeType.USER_PASSWORD, secret.hide(passcode, authenticator))
            .add(AttributeType.NAS_IDENTIFIER, "vpn")
            .request(authenticator, secret)
            .orElseThrow();
    DatagramPacket answer = answer(packet, name);
    bytes.add(packet.length + answer.getLength() + 2L * HEADERS);
    if (!(RadiusPacket.parse(Arrays.copyOf(answer.getData(), answer.getLength()), answer.getLength()) instanceof ParsedPacket.Read(var read))
        || !secret.isResponseTo(Arrays.copyOfRange(packet, 4, 20), read)) {
      throw new IOException("no authentic answer about " + name);
    }
    return read.code();
  }

  private DatagramPacket answer(byte[] packet, String name) throws IOException {
    DatagramPacket answer = new DatagramPacket(new byte[RadiusPacket.MAX_LENGTH], RadiusPacket.MAX_LENGTH);
    for (int i = 0; i < TRIES; i++) {
      socket.send(new DatagramPacket(packet, packet.length, new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port)));
      try {
        socket.receive(answer);
        return answer;
      } catch (SocketTimeoutException e) {
        // It is sent again.
      }
    }
    throw new IOException("no answer for " + name + " to " + TRIES + " packets");
  }

  @Override
  public void close() {
    socket.close();
  }
}
