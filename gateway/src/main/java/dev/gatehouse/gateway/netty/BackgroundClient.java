package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;

/** The client of what the cache asks for of its own accord. */
final class BackgroundClient implements ClientStream {

  private final RequestCount requests = new RequestCount();

  private final AccessEntry entry = new AccessEntry();
  private Runnable away = () -> {};

  /** @param away ends the request, some time after this call */
  void leaving(Runnable away) {
    this.away = away;
  }

  /** The rest of the answer is of no use: a large one must not be carried here for nobody. */
  void leave() {
    away.run();
  }

  /** Nobody asked, and nothing is written down. */
  @Override
  public AccessEntry entry() {
    return entry;
  }

  @Override
  public void receiveBody() {}

  @Override
  public void pauseBody(boolean stop) {}

  @Override
  public void reply(EdgeReply reply) {}

  @Override
  public void interim(ResponseHead head) {}

  @Override
  public void head(ResponseHead head, ResponseEdits edits) {}

  @Override
  public void stored(AgedResponse response, ResponseEdits edits) {}

  @Override
  public void data(ByteBuf data) {
    data.release();
  }

  @Override
  public void flush() {}

  @Override
  public void end() {}

  @Override
  public void abort() {}

  @Override
  public RequestCount requestCount() {
    return requests;
  }

  @Override
  public boolean isCrowded() {
    return false;
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  /** Nobody needs a page that says so; the failure is counted. */
  @Override
  public boolean replaces(UpstreamFailure failure) {
    return true;
  }
}
