package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.policy.Decision.Permit;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.Addressed;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.upstream.ConnectionAuthentication;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Carries a permitted request to its app and the response back, each side at the pace of the other. */
final class Relay implements UpstreamListener {

  private final Services services;
  private final Loop loop;
  private final ClientStream client;
  private final Exchange exchange;
  private final RequestHead head;
  private final Addressed to;
  private final Route route;
  private final String path;
  private final Permit permit;

  private @Nullable UpstreamConnection connection;
  private boolean retried;
  private boolean responded;
  private boolean cancelled;
  private boolean unflushed;

  Relay(
      Services services,
      Loop loop,
      ClientStream client,
      Exchange exchange,
      RequestHead head,
      Addressed to,
      Route route,
      String path,
      Permit permit) {
    this.services = services;
    this.loop = loop;
    this.client = client;
    this.exchange = exchange;
    this.head = head;
    this.to = to;
    this.route = route;
    this.path = path;
    this.permit = permit;
  }

  void start() {
    loop.pool(route.upstream().origin()).acquire(this, head.isRepeatable());
  }

  @Override
  public void ready(UpstreamConnection ready) {
    if (cancelled) {
      ready.abandon();
      return;
    }
    connection = ready;
    if (ConnectionAuthentication.isIn(head.fields())) {
      ready.useOnce();
    }
    ready.writeHead(requestHead(), head.framing() instanceof BodyFraming.Chunked, head.isHead());
    if (head.hasBody()) {
      exchange.receiveBody();
    } else {
      ready.writeEnd();
    }
    flush();
  }

  /** The head as the app receives it: the path that was authorised, and nothing that we did not look at. */
  private HeadBuffer requestHead() {
    HeadBuffer out = loop.head();
    out.put(head.method()).put(' ').put(route.upstream().basePath()).put(path);
    out.put(head.fields().bytes(), head.pathEnd(), head.targetEnd());
    out.put(" HTTP/1.1").endLine();
    to.table().requestFields().write(head.fields(), to.forwarded(), permit.edits(), out);
    switch (head.framing()) {
      case BodyFraming.Length(long bytes) -> out.put("Content-Length: ").put(bytes).endLine();
      case BodyFraming.Chunked chunked -> out.put("Transfer-Encoding: chunked").endLine();
      case BodyFraming.None none -> {}
      case BodyFraming.UntilClose close -> throw new IllegalStateException("no request is framed so");
    }
    return out.endLine();
  }

  void requestData(ByteBuf data) {
    UpstreamConnection app = connection;
    if (app == null) {
      data.release();
      return;
    }
    app.writeData(data);
    unflushed = true;
    if (!app.isWritable()) {
      app.flush();
      if (!app.isWritable()) {
        client.pauseBody(true);
      }
    }
  }

  void requestEnd() {
    if (connection != null) {
      connection.writeEnd();
      unflushed = true;
    }
  }

  void flushRequest() {
    if (unflushed) {
      flush();
    }
  }

  private void flush() {
    unflushed = false;
    if (connection != null) {
      connection.flush();
    }
  }

  void clientWritable() {
    if (connection != null) {
      connection.pauseReading(false);
    }
  }

  /** The client is gone or unreadable; says whether the response had begun. */
  boolean cancel() {
    cancelled = true;
    UpstreamConnection app = connection;
    connection = null;
    if (app != null) {
      app.abandon();
    }
    return responded;
  }

  @Override
  public void failed(UpstreamFailure failure, boolean stale) {
    connection = null;
    if (cancelled) {
      return;
    }
    if (stale && !retried && head.isRepeatable()) {
      retried = true;
      loop.pool(route.upstream().origin()).open(this);
      return;
    }
    services.meters().count(failure);
    exchange.refuse(to, path, Refusal.of(failure, route.name()));
  }

  @Override
  public void head(ResponseHead response) {
    if (response.isInterim()) {
      if (response.status() != 100) {
        client.interim(response);
      }
      return;
    }
    responded = true;
    client.head(response, !(permit.subject() instanceof Subject.Anonymous));
  }

  @Override
  public void data(ByteBuf data) {
    client.data(data);
    UpstreamConnection app = connection;
    if (app != null && !client.isWritable()) {
      client.flush();
      app.pauseReading(!client.isWritable());
    }
  }

  @Override
  public void pause() {
    if (responded) {
      client.flush();
    }
  }

  @Override
  public void end() {
    connection = null;
    exchange.done();
    client.end();
  }

  @Override
  public void truncated() {
    connection = null;
    exchange.done();
    client.abort();
  }

  @Override
  public void writable() {
    client.pauseBody(false);
  }
}
