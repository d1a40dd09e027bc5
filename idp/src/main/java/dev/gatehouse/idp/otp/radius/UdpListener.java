package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.idp.otp.packet.ParsedPacket;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.radius.RadiusRequests.Admission;
import dev.gatehouse.idp.otp.radius.RadiusRequests.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RADIUS over UDP. One thread reads, checks who sent a packet and whether it is new; each new request has a virtual thread, because it
 * waits for stores. What strangers send costs no thread.
 */
final class UdpListener implements RadiusListener {

  private static final Logger LOG = LoggerFactory.getLogger(UdpListener.class);

  /** Enough for the packets of a tenth of a second at the highest rate; the kernel may allow less. */
  private static final int RECEIVE_BUFFER = 1 << 20;

  private static final long PAUSE_AFTER_FAULT_MILLIS = 100;

  private final DatagramChannel channel;
  private final RealmClients clients;
  private final RadiusRequests requests;
  private final LogThrottle faults = new LogThrottle();
  private final int port;
  private volatile boolean stopped;

  private UdpListener(DatagramChannel channel, RealmClients clients, RadiusRequests requests) throws IOException {
    this.channel = channel;
    this.clients = clients;
    this.requests = requests;
    this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
  }

  static UdpListener open(InetSocketAddress address, RealmClients clients, RadiusRequests requests) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
      channel.bind(address);
      UdpListener listener = new UdpListener(channel, clients, requests);
      Thread.ofPlatform().name("radius-" + listener.port).daemon().start(listener::read);
      return listener;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public boolean isListening() {
    return channel.isOpen() && !stopped;
  }

  private void read() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(RadiusPacket.MAX_LENGTH);
    byte[] bytes = new byte[RadiusPacket.MAX_LENGTH];
    while (channel.isOpen()) {
      try {
        buffer.clear();
        SocketAddress from = channel.receive(buffer);
        if (from instanceof InetSocketAddress sender && !stopped) {
          int length = buffer.position();
          buffer.get(0, bytes, 0, length);
          take(sender, bytes, length);
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException e) {
        faults.count().ifPresent(times -> LOG.warn("A RADIUS packet could not be read at port {} ({} times since the start)", port, times, e));
        pause();
      }
    }
  }

  private void take(InetSocketAddress sender, byte[] bytes, int length) {
    Optional<KnownClient> client = clients.at(sender.getAddress());
    if (client.isEmpty()) {
      requests.refuse(Dropped.UNKNOWN_CLIENT, clients.realm(), "-", sender.getAddress());
      return;
    }
    switch (RadiusPacket.parse(bytes, length)) {
      case ParsedPacket.Malformed(ParsedPacket.Reason reason) ->
          requests.refuse(Dropped.MALFORMED, clients.realm(), client.get().name(), sender.getAddress());
      case ParsedPacket.Read(RadiusPacket packet) -> {
        switch (requests.admit(client.get(), new Source(sender.getAddress(), sender), packet)) {
          case Admission.Known(byte[] answer) -> send(answer, sender);
          case Admission.Silence() -> {}
          case Admission.Work(RadiusRequests.Admitted request) ->
              Thread.startVirtualThread(() -> requests.work(request).ifPresent(answer -> send(answer, sender)));
        }
      }
    }
  }

  private void send(byte[] answer, InetSocketAddress to) {
    try {
      channel.send(ByteBuffer.wrap(answer), to);
    } catch (IOException e) {
      faults.count().ifPresent(times -> LOG.warn("A RADIUS answer could not be sent to {} ({} times since the start)", to, times, e));
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_AFTER_FAULT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void stop() {
    stopped = true;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
