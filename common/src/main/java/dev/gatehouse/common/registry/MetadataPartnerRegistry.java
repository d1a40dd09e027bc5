package dev.gatehouse.common.registry;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;

/**
 * The partners of the realms. Their metadata is refreshed in the background: files are read again when they change, URLs are fetched
 * again in time. Reading the registry takes no lock and never waits.
 */
public final class MetadataPartnerRegistry implements PartnerRegistry, AutoCloseable {

  /** The tools for refreshing partners. */
  record RefreshTools(
      MetadataCodec codec,
      OutboundHttp http,
      MetadataCache kept,
      RefreshPlan plan,
      AuditLog audit,
      InstantSource clock,
      FetchPermits fetching,
      CountDownLatch fetchAfter) {}

  private record Entry(PartnerConfig config, RefreshedPartner refreshed) {
    Partner partner() {
      return new Partner(config, refreshed.state());
    }
  }

  /** @param entityIds by source ID: an artifact is nonsense of anybody, and must not cost a digest for each partner */
  private record Entries(Realm.Revision revision, Map<String, Entry> byEntityId, Map<String, String> entityIds) {}

  private final RefreshTools tools;
  private volatile Map<String, Entries> realms = Map.of();
  private volatile boolean closed;

  /** Starts refreshing the partners; fetches at once. */
  public MetadataPartnerRegistry(
      Realms realms,
      MetadataCodec codec,
      OutboundHttp http,
      Path directory,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this(realms, codec, http, directory, audit, clock, random, new CountDownLatch(0));
  }

  /**
   * Starts refreshing the partners: reads files and cached documents at once, fetches URLs later.
   *
   * @param directory for the last good documents: {@code metadata} in the node's data directory
   * @param fetchAfter counted down when this node's own listeners answer, since its own metadata may be among the documents to
   *     fetch
   */
  public MetadataPartnerRegistry(
      Realms realms,
      MetadataCodec codec,
      OutboundHttp http,
      Path directory,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random,
      CountDownLatch fetchAfter) {
    this.tools =
        new RefreshTools(
            codec,
            http,
            new MetadataCache(directory),
            new RefreshPlan(random),
            audit,
            clock,
            new FetchPermits(),
            fetchAfter);
    realms.onChange(this::follow);
  }

  @Override
  public Optional<Partner> find(String realm, String entityId) {
    return entry(realm, entityId).map(Entry::partner);
  }

  @Override
  public List<Partner> all(String realm) {
    Entries entries = realms.get(realm);
    return entries == null ? List.of() : entries.byEntityId().values().stream().map(Entry::partner).toList();
  }

  @Override
  public Optional<Partner> bySourceId(String realm, String sourceId) {
    return Optional.ofNullable(realms.get(realm))
        .flatMap(entries -> Optional.ofNullable(entries.entityIds().get(sourceId)))
        .flatMap(entityId -> find(realm, entityId));
  }

  @Override
  public Result<PartnerMetadata, SamlRefusal> metadata(String realm, String entityId) {
    Optional<Entry> entry = entry(realm, entityId);
    if (entry.isEmpty()) {
      return refused(Reason.PARTNER_UNKNOWN, "no such partner in realm " + realm);
    }
    return switch (entry.get().refreshed().state()) {
      case MetadataState.Usable usable -> new Result.Accepted<>(usable.metadata());
      case MetadataState.Unusable(String problem) -> refused(Reason.PARTNER_METADATA_UNAVAILABLE, problem);
    };
  }

  private static Result<PartnerMetadata, SamlRefusal> refused(Reason reason, String detail) {
    return new Result.Refused<>(new SamlRefusal(reason, detail));
  }

  private Optional<Entry> entry(String realm, String entityId) {
    return Optional.ofNullable(realms.get(realm)).map(entries -> entries.byEntityId().get(entityId));
  }

  /** Retains unchanged partners with their state, starts refreshing new ones and stops removed ones. */
  private synchronized void follow(Collection<Realm> all) {
    if (closed) {
      return;
    }
    Map<String, Entries> before = realms;
    Map<String, Entries> next = new HashMap<>();
    for (Realm realm : all) {
      Optional<Entries> old = Optional.ofNullable(before.get(realm.name()));
      Map<String, Entry> entries = new LinkedHashMap<>();
      realm.parties().partners().forEach(config -> entries.put(config.entityId(), entry(realm, config, old)));
      Map<String, String> entityIds = new HashMap<>();
      entries.keySet().forEach(entityId -> entityIds.put(Artifact.sourceId(entityId), entityId));
      next.put(realm.name(), new Entries(realm.revision(), Collections.unmodifiableMap(entries), Map.copyOf(entityIds)));
    }
    realms = Map.copyOf(next);
    List<RefreshedPartner> now = refreshed(next);
    refreshed(before).stream().filter(partner -> !now.contains(partner)).forEach(RefreshedPartner::stop);
  }

  private Entry entry(Realm realm, PartnerConfig config, Optional<Entries> old) {
    EndpointRule rule = EndpointRule.of(realm, config);
    Optional<RefreshedPartner> stays =
        old.map(entries -> entries.byEntityId().get(config.entityId()))
            .map(Entry::refreshed)
            .filter(refreshed -> refreshed.adopt(config, rule));
    if (stays.isPresent()) {
      // The certificate in verifyWith may have changed, though its path is the same.
      old.filter(entries -> !entries.revision().equals(realm.revision())).ifPresent(e -> stays.get().wake());
      return new Entry(config, stays.get());
    }
    RefreshedPartner refreshed = new RefreshedPartner(realm.name(), config, rule, tools);
    refreshed.start();
    return new Entry(config, refreshed);
  }

  private static List<RefreshedPartner> refreshed(Map<String, Entries> realms) {
    return realms.values().stream().flatMap(e -> e.byEntityId().values().stream()).map(Entry::refreshed).toList();
  }

  /** Ends all threads; the state stays readable. */
  @Override
  public synchronized void close() {
    closed = true;
    refreshed(realms).forEach(RefreshedPartner::stop);
  }
}
