package dev.gatehouse.gateway.exchange.cache;

import dev.gatehouse.common.compute.ComputingThreads;
import dev.gatehouse.gateway.cache.CacheFill;
import dev.gatehouse.gateway.cache.CacheFillRequest;
import dev.gatehouse.gateway.cache.CacheRequest;
import dev.gatehouse.gateway.cache.CacheStatus;
import dev.gatehouse.gateway.cache.CacheStatus.Forward;
import dev.gatehouse.gateway.cache.CollectedBody;
import dev.gatehouse.gateway.cache.Freshness;
import dev.gatehouse.gateway.cache.NotStored;
import dev.gatehouse.gateway.cache.RequestCoalescing.Outcome;
import dev.gatehouse.gateway.cache.RequestCoalescing.PendingFill;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.cache.RoleKey;
import dev.gatehouse.gateway.cache.Storability;
import dev.gatehouse.gateway.cache.StoredResponse;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.ResponseSink;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Passes an app's response on to the client and collects it for the cache. If the app confirms a stored response, or
 * fails and the stored one may be used instead, the client gets the stored one.
 */
final class StoringSink implements ResponseSink {

  /** Bytes that may wait for a slow client. */
  private static final int AHEAD = 128 * 1024;

  /** Limits the pages that are being compressed or wait for it. */
  private static final Semaphore COMPRESSING = new Semaphore(64);

  private static final ExecutorService COMPRESSORS = ComputingThreads.of("gateway-compress-", ComputingThreads.usual());

  private final ResponseCache cache;
  private final GatewayEventLoop loop;
  private final ClientStream client;
  private final PermittedRequest request;
  private final CacheRequest asked;
  private final CacheFillRequest fill;
  private final RoleKey roles;
  private final PendingFill pending;
  private final Forward why;
  private final Optional<StoredResponse> stale;
  private final long sent;

  private @Nullable ResponseHead head;
  private @Nullable Freshness freshness;
  private @Nullable CollectedBody body;
  private @Nullable StoredResponse instead;
  private Outcome outcome = new Outcome.Lost();
  private long answered;

  /** @param client takes the response; for a refresh in the background not the client of the step's request */
  StoringSink(
      CacheStep step,
      ClientStream client,
      CacheFillRequest fill,
      PendingFill pending,
      Forward why,
      Optional<StoredResponse> stale) {
    this.cache = step.cache();
    this.loop = step.loop();
    this.client = client;
    this.request = step.request();
    this.asked = step.asked();
    this.fill = fill;
    this.roles = step.roles();
    this.pending = pending;
    this.why = why;
    this.stale = stale;
    this.sent = loop.second();
  }

  @Override
  public void interim(ResponseHead interim) {
    client.interim(interim);
  }

  @Override
  public void head(ResponseHead response, ResponseEdits edits) {
    answered = loop.second();
    if (stale.isPresent() && isAboutStale(response, stale.get())) {
      return;
    }
    Freshness fresh = Freshness.of(response.fields(), fill.scope().config(), sent, answered);
    Optional<NotStored> refused = Storability.refusal(fill, response, fresh);
    if (refused.isEmpty()) {
      CollectedBody gathered = pending.fill().newBody();
      boolean room = !(response.framing() instanceof BodyFraming.Length(long bytes)) || gathered.reserve((int) bytes);
      refused = room ? Optional.empty() : Optional.of(NotStored.NO_ROOM);
      body = room ? gathered : null;
    }
    head = response;
    freshness = fresh;
    refused.ifPresent(reason -> notKept());
    if (response.status() < 500 && refused.filter(NotStored::isOfAnswer).isPresent()) {
      stale.ifPresent(outdated -> cache.withdraw(pending.fill().key(), outdated));
    }
    client.head(response, edits.and(CacheStatus.forwarded(why, refused)));
  }

  /**
   * Returns whether the stored response is sent instead: the app has confirmed it, or has failed and the stored one may be
   * served.
   */
  private boolean isAboutStale(ResponseHead response, StoredResponse kept) {
    if (response.status() == 304) {
      CacheFill.Result confirmed = pending.fill().confirm(fill, kept, response, sent, answered);
      instead = confirmed.response();
      outcome = confirmed.refused().isPresent() ? new Outcome.Lost() : new Outcome.Stored(confirmed.response());
      return true;
    }
    boolean failure = response.status() >= 500 && response.status() <= 504 && response.status() != 501;
    if (failure && kept.mayServeOnError(answered)) {
      instead = kept;
      outcome = new Outcome.Failed();
      return true;
    }
    return false;
  }

  private void notKept() {
    CollectedBody gathered = body;
    body = null;
    if (gathered != null) {
      gathered.close();
    }
    cache.pass(fill.scope(), roles, pending.fill().key(), fill.isPeculiar(), answered);
    pending.complete(new Outcome.NotStorable());
    if (client instanceof BackgroundClient background) {
      background.cancel();
    }
  }

  @Override
  public void data(ByteBuf data) {
    if (instead != null) {
      data.release();
      return;
    }
    CollectedBody gathered = body;
    if (gathered != null) {
      gather(gathered, data);
    }
    client.data(data);
    if (body != null && !isWritable()) {
      pending.delayed();
    }
  }

  private void gather(CollectedBody gathered, ByteBuf data) {
    int count = data.readableBytes();
    if (gathered.length() + count > fill.scope().config().maxObject() || !gathered.reserve(count)) {
      notKept();
      return;
    }
    data.getBytes(data.readerIndex(), gathered.array(), gathered.length(), count);
    gathered.added(count);
  }

  /** Passes trailers to the client; they are not stored. */
  @Override
  public void trailers(Fields trailers) {
    if (instead == null) {
      client.trailers(trailers);
    }
  }

  @Override
  public void flush() {
    if (instead == null) {
      client.flush();
    }
  }

  @Override
  public void end() {
    StoredResponse known = instead;
    if (known != null) {
      pending.complete(outcome);
      CacheStep.send(client, known, asked, request, loop.second());
      return;
    }
    CollectedBody gathered = body;
    ResponseHead response = head;
    Freshness fresh = freshness;
    body = null;
    if (gathered != null && response != null && fresh != null) {
      try (gathered) {
        CacheFill.Result kept = pending.fill().store(fill, roles, response, fresh, gathered, answered);
        pending.complete(kept.refused().isPresent() ? new Outcome.Lost() : new Outcome.Stored(kept.response()));
        if (kept.refused().isEmpty() && kept.response().isCompressible()) {
          compress(kept.response());
        }
      } finally {
        pending.complete(new Outcome.Lost());
      }
    }
    client.end();
  }

  /**
   * Compresses in the background. If many pages arrive at once, some stay uncompressed, because logins need the
   * processors, too.
   */
  private void compress(StoredResponse kept) {
    if (COMPRESSING.tryAcquire()) {
      COMPRESSORS.execute(() -> compressed(kept));
    }
  }

  private void compressed(StoredResponse kept) {
    try {
      cache.compress(pending.fill().key(), kept);
    } finally {
      COMPRESSING.release();
    }
  }

  @Override
  public void abort() {
    abandon();
    client.abort();
  }

  /** Ends the fill without storing anything. */
  void abandon() {
    CollectedBody gathered = body;
    body = null;
    if (gathered != null) {
      gathered.close();
    }
    pending.complete(new Outcome.Lost());
  }

  /**
   * Reads ahead of a slow client, so that it does not delay others that wait for the same response; but only up to a
   * limit, because a large body would stay in memory as long as the client likes.
   */
  @Override
  public boolean isWritable() {
    CollectedBody gathered = body;
    boolean ahead = gathered != null && gathered.length() < AHEAD && !client.isCrowded();
    return ahead || instead != null || client.isWritable();
  }

  @Override
  public boolean replaces(UpstreamFailure failure) {
    abandonAs(new Outcome.Failed());
    if (stale.isPresent() && stale.get().mayServeOnError(loop.second())) {
      CacheStep.send(client, stale.get(), asked, request, loop.second());
      return true;
    }
    return client.replaces(failure);
  }

  private void abandonAs(Outcome said) {
    pending.complete(said);
    abandon();
  }
}
