package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.netty.loop.BlockingTasks;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.refusal.RefusalContext;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.stream.BodyCollector;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.Forwarding;
import dev.gatehouse.gateway.stream.ResponseSink;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import dev.gatehouse.gateway.traffic.HeldBodies;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of one request with an app: passes the request's body on, and ends with the app's response, an answer of
 * the gateway itself or a refusal. It lives on the client's event loop; blocking tasks return to it, and it checks then
 * whether the client still waits.
 */
public class AppExchange implements Forwarding {

  final Exchanges exchanges;
  final ClientStream client;
  final ClientConnection connection;
  RequestHead head;

  private byte @Nullable [] savedBody;
  private @Nullable CollectedBody collected;
  private HeldBodies.@Nullable Held room;
  private @Nullable Relay relay;
  private @Nullable PermittedRequest forwarded;
  private @Nullable AppExchange submission;
  private long bodyLeft = Long.MAX_VALUE;
  private boolean over;
  private boolean closed;

  AppExchange(Exchanges exchanges, ClientStream client, ClientConnection connection, RequestHead head) {
    this.exchanges = exchanges;
    this.client = client;
    this.connection = connection;
    this.head = head;
  }

  final ExchangeServices services() {
    return exchanges.services();
  }

  /** A body that the gateway itself takes. */
  private record CollectedBody(BodyCollector parts, Consumer<byte[]> then, Runnable tooMuch) {}

  @Override
  public final void forward(PermittedRequest request, ResponseSink sink) {
    if (over) {
      return;
    }
    services().metrics().count(GatewayMetrics.Outcome.PROXIED);
    start(request, new Relay(exchanges, client, sink, this, request));
  }

  final void start(PermittedRequest request, Relay begun) {
    forwarded = request;
    relay = begun;
    begun.start();
  }

  @Override
  public final Forwarding inBackground(ClientStream background, RequestHead other) {
    return new AppExchange(exchanges, background, connection, other);
  }

  @Override
  public final void submit(PermittedRequest form, byte[] body, Function<Forwarding, ResponseSink> sink) {
    AppExchange next = new AppExchange(exchanges, client, connection, form.head());
    next.useBody(body);
    submission = next;
    next.start(form, new Relay(exchanges, client, sink.apply(next), next, form));
  }

  @Override
  public final boolean isClosed() {
    return closed;
  }

  @Override
  public final void fault(AddressedHost to, String path, String route, Throwable fault) {
    if (!closed) {
      over = false;
      failed(to, path, route, fault);
    }
  }

  @Override
  public final void refuse(AddressedHost to, String path, Refusal refusal) {
    PermittedRequest failed = forwarded;
    RefusalContext context = failed == null ? RefusalContext.NONE : RefusalContext.permitted(failed);
    relay = null;
    services().metrics().count(GatewayMetrics.Outcome.FAILED);
    refuse(EdgeRequests.withoutBody(head, to, path), Optional.of(to.site().realm()), refusal, Refusals.NOBODY, context);
  }

  final void refuse(EdgeRequest request, Optional<Realm> realm, Refusal refusal, String person) {
    refuse(request, realm, refusal, person, RefusalContext.NONE);
  }

  final void refuse(EdgeRequest request, Optional<Realm> realm, Refusal refusal, String person, RefusalContext context) {
    BlockingTasks.call(
        exchanges.loop().executor(),
        () -> services().refusals().reply(request, realm, refusal, person, client.entry(), context),
        page -> reply(refused(page, refusal)),
        fault -> stop());
  }

  /** Adapts the page of a refusal to the client. */
  EdgeReply refused(EdgeReply page, Refusal refusal) {
    return page;
  }

  /** Runs a blocking task, and continues unless the exchange is over meanwhile; a fault becomes an error page. */
  final <T> void runBlocking(AddressedHost to, String path, String route, Callable<T> work, Consumer<T> then) {
    // The task may read the body for longer than the client waits.
    HeldBodies.Held ofTask = room;
    room = null;
    BlockingTasks.call(
        exchanges.loop().executor(),
        () -> RequestId.call(client.entry().requestId(), () -> client.entry().trace().call(work::call)),
        result -> {
          free(ofTask);
          if (!over) {
            then.accept(result);
          }
        },
        fault -> {
          free(ofTask);
          failed(to, path, route, fault);
        });
  }

  private void failed(AddressedHost to, String path, String route, Throwable fault) {
    EdgeRequest request = EdgeRequests.withoutBody(head, to, path);
    Optional<Realm> realm = Optional.of(to.site().realm());
    services().metrics().count(GatewayMetrics.Outcome.FAILED);
    BlockingTasks.call(
        exchanges.loop().executor(),
        () -> services().refusals().fault(request, realm, route, fault, client.entry()),
        this::reply,
        failure -> stop());
  }

  final void reply(EdgeReply reply) {
    if (!over) {
      end();
      client.reply(reply);
    }
  }

  /** Aborts the response because not even an error page could be made. */
  private void stop() {
    if (!over) {
      end();
      client.abort();
    }
  }

  private void end() {
    over = true;
    dropBody();
  }

  private void dropBody() {
    collected = null;
    free(room);
    room = null;
  }

  private static void free(HeldBodies.@Nullable Held room) {
    if (room != null) {
      room.release();
    }
  }

  /** Sends this body instead of one from the client. */
  final void useBody(byte[] body) {
    savedBody = body;
    collected = null;
  }

  /** Limits the body that is passed on, in bytes. */
  final void limitBody(long most) {
    bodyLeft = most;
  }

  /** Collects the body for the gateway itself. */
  final void collect(int limit, Consumer<byte[]> then, Runnable tooMuch) {
    if (head.framing() instanceof BodyFraming.Length(long bytes) && bytes > limit) {
      tooMuch.run();
      return;
    }
    Runnable makeRoom = () -> endCollected(Refusal.requestTimeout());
    room = services().traffic().bodies().begin(() -> exchanges.loop().later(makeRoom));
    collected = new CollectedBody(new BodyCollector(limit), then, tooMuch);
    receiveBody();
  }

  private void endCollected(Refusal refusal) {
    if (collected != null) {
      dropBody();
      services().metrics().count(GatewayMetrics.Outcome.DENIED);
      refuse(EdgeRequests.unreadable(connection), Optional.empty(), refusal, Refusals.NOBODY);
    }
  }

  /** Starts the body, from the client or from the saved request. */
  final void receiveBody() {
    byte[] kept = savedBody;
    if (kept != null) {
      savedBody = null;
      data(Unpooled.wrappedBuffer(kept));
      bodyEnd();
    } else if (head.hasBody()) {
      client.receiveBody();
    } else {
      bodyEnd();
    }
  }

  /** Takes a part of the request's body. */
  public final void data(ByteBuf data) {
    Relay to = relay;
    CollectedBody own = collected;
    if (over || to == null && own == null) {
      data.release();
    } else if (to != null) {
      bodyLeft -= data.readableBytes();
      if (bodyLeft < 0) {
        data.release();
        bodyFailed(Refusal.bodyTooLarge("-"));
        return;
      }
      to.requestData(data);
    } else if (own != null) {
      collect(own, data);
    }
  }

  private void collect(CollectedBody own, ByteBuf data) {
    if (room == null || !room.grow(data.readableBytes())) {
      data.release();
      endCollected(Refusal.tooManyBodies());
    } else if (!own.parts().add(data)) {
      dropBody();
      own.tooMuch().run();
    }
  }

  /** Takes the trailer fields of the request, before the end of its body. */
  public final void trailers(Fields trailers) {
    if (relay != null) {
      relay.requestTrailers(trailers);
    }
  }

  public final void bodyEnd() {
    Relay to = relay;
    CollectedBody own = collected;
    if (over) {
      return;
    }
    if (to != null) {
      to.requestEnd();
    } else if (own != null && room != null) {
      collected = null;
      room.complete();
      own.then().accept(own.parts().toBytes());
    }
  }

  /** Called when the client's connection has no more to read at the moment. */
  public final void readComplete() {
    if (relay != null) {
      relay.flushRequest();
    }
  }

  /** Called when the request's body is malformed or does not arrive. */
  public final void bodyFailed(Refusal refusal) {
    if (submission != null) {
      submission.bodyFailed(refusal);
      return;
    }
    Relay to = relay;
    relay = null;
    dropBody();
    boolean begun = to != null && to.cancel();
    if (over) {
      return;
    }
    if (begun) {
      end();
      client.abort();
    } else {
      services().metrics().count(GatewayMetrics.Outcome.MALFORMED);
      refuse(EdgeRequests.unreadable(connection), Optional.empty(), refusal, Refusals.NOBODY);
    }
  }

  /** Called when the client can take more of the response. */
  public final void writable() {
    if (submission != null) {
      submission.writable();
    } else if (relay != null) {
      relay.clientWritable();
    }
  }

  @Override
  public final void done() {
    end();
    relay = null;
  }

  @Override
  public void closed() {
    end();
    closed = true;
    if (submission != null) {
      submission.closed();
    }
    Relay to = relay;
    relay = null;
    if (to != null) {
      to.cancel();
    }
  }
}
