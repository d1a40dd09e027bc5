package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.yaml.NamedFiles;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.MetadataAggregate;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataOutline.Entity;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.job.JobWork.JobFailed;
import dev.gatehouse.gateway.admin.job.JobWork.JobProgress;
import dev.gatehouse.gateway.admin.partner.FetchedDocument.Wanted;
import dev.gatehouse.gateway.admin.revision.PartnerEntries;
import dev.gatehouse.gateway.admin.revision.PartnerEntries.ImportedEntries;
import dev.gatehouse.gateway.admin.revision.PartnerEntries.ImportedEntry;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Imports partners from a signed aggregate, as a job. Each entity becomes a document in a folder of the aggregate, so that a later import
 * knows which partners it may renew: an aggregate does not speak for partners that the realm has from elsewhere, unless somebody names
 * them. Nothing changes unless everything can be written, in one revision.
 */
final class AggregateImports {

  private static final String ACCEPT = "application/samlmetadata+xml, application/xml;q=0.9, */*;q=0.1";
  private static final String LIST = "partners";
  private static final String UNCHANGED = " Nothing was changed.";
  private static final int MOST_NAMED = 100;

  /**
   * A job's order.
   *
   * @param signer the certificate of {@code verifyWith}
   * @param expected the revision that it was made for; empty to change nothing
   * @param older whether the aggregate may be older than one that was imported before
   */
  record Order(
      String realm, AggregateImport wanted, X509Certificate signer, Destinations permitted, ChangeScope scope, String administrator,
      Optional<Long> expected, boolean older) {

    String source() {
      return wanted.url().map(FetchedDocument::shown).orElse("document");
    }

    /** Returns the folder of the aggregate's documents beside the realm's file. */
    String folder() {
      return realm + "/aggregates/" + Sha256.hex(source()).substring(0, 16) + "/";
    }
  }

  private final MetadataInspection inspection;
  private final MetadataCodec codec;
  private final PartnerEntries entries;
  private final PublicHttp http;
  private final AggregateAge age;
  private final InstantSource time;

  AggregateImports(
      MetadataInspection inspection, MetadataCodec codec, PartnerEntries entries, PublicHttp http, AggregateAge age, InstantSource time) {
    this.inspection = inspection;
    this.codec = codec;
    this.entries = entries;
    this.http = http;
    this.age = age;
    this.time = time;
  }

  /** Does the job, and returns its result. */
  Map<String, Object> run(Order order, JobProgress progress) throws JobFailed {
    try {
      return imported(order, progress);
    } catch (BadRequest | Conflict | NotFound e) {
      throw new JobFailed(e.getMessage() + UNCHANGED);
    }
  }

  private Map<String, Object> imported(Order order, JobProgress progress) throws JobFailed {
    progress.at(0, 0);
    byte[] content = content(order);
    MetadataAggregate aggregate = aggregate(order, content);
    Set<String> chosen = chosen(order, aggregate);
    progress.at(0, chosen.size());
    Collected collected = new Collected(order, entries.all(order.realm(), LIST));
    requireNewest(aggregate, collected);
    for (String entityId : chosen) {
      collect(aggregate, entityId, collected);
      progress.at(collected.done(), chosen.size());
    }
    if (!order.wanted().isAll() && !collected.skipped.isEmpty()) {
      throw new JobFailed("Not all of these entities can be imported: " + named(collected.skipped) + "." + UNCHANGED);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("source", order.source());
    result.put("sha256", Sha256.hex(content));
    aggregate.validUntil().ifPresent(until -> result.put("validUntil", until.toString()));
    result.put("described", aggregate.entities().size());
    collected.report(result);
    Optional<Long> revision = write(order, collected.imported);
    revision.ifPresent(number -> result.put("revision", number));
    result.put("gone", gone(collected, aggregate));
    return result;
  }

  private byte[] content(Order order) throws JobFailed {
    if (order.wanted().xml().isPresent()) {
      return order.wanted().xml().get().getBytes(StandardCharsets.UTF_8);
    }
    Wanted wanted = new Wanted("url", order.wanted().url().orElseThrow(), ACCEPT, order.permitted());
    return switch (FetchedDocument.of(http, wanted)) {
      case Result.Accepted<byte[], ProblemView>(byte[] content) -> content;
      case Result.Refused<byte[], ProblemView>(ProblemView problem) -> throw failed(problem);
    };
  }

  private MetadataAggregate aggregate(Order order, byte[] content) throws JobFailed {
    return switch (MetadataAggregate.read(content, order.signer(), time.instant())) {
      case Result.Accepted<MetadataAggregate, SamlRefusal>(MetadataAggregate aggregate) -> aggregate;
      case Result.Refused<MetadataAggregate, SamlRefusal>(SamlRefusal refusal) ->
          throw failed(MetadataInspection.problem(order.source(), refusal));
    };
  }

  private static JobFailed failed(ProblemView problem) {
    return new JobFailed(problem.file() + ": " + problem.message() + "; " + problem.remedy() + "." + UNCHANGED);
  }

  private static Set<String> chosen(Order order, MetadataAggregate aggregate) throws JobFailed {
    Set<String> described = aggregate.entities().stream().map(Entity::entityId).collect(Collectors.toSet());
    if (order.wanted().entityIds().isPresent()) {
      Set<String> chosen = new LinkedHashSet<>(order.wanted().entityIds().get());
      List<String> unknown = chosen.stream().filter(id -> !described.contains(id)).map(FetchedDocument::shown).toList();
      if (!unknown.isEmpty()) {
        throw new JobFailed("The metadata do not describe " + named(unknown) + "." + UNCHANGED);
      }
      return chosen;
    }
    Set<String> chosen =
        aggregate.entities().stream()
            .filter(entity -> order.wanted().wants(entity.isIdentityProvider(), entity.isServiceProvider()))
            .map(Entity::entityId)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (chosen.isEmpty()) {
      throw new JobFailed("The metadata describe " + described.size() + " entities, and none that was asked for." + UNCHANGED);
    }
    return chosen;
  }

  private void requireNewest(MetadataAggregate aggregate, Collected collected) throws JobFailed {
    if (collected.order.older()) {
      return;
    }
    Map<String, String> documents = new HashMap<>();
    collected.inUse.forEach(
        (entityId, entry) -> {
          if (isOf(entry, collected.order.folder())) {
            documents.put(entityId, String.valueOf(entry.get("metadata")));
          }
        });
    Map<String, Instant> newer = age.newer(aggregate, documents);
    if (!newer.isEmpty()) {
      List<String> ends = new ArrayList<>();
      newer.forEach((entityId, end) -> ends.add(FetchedDocument.shown(entityId) + " until " + end));
      throw new JobFailed(
          AggregateImport.OLDER + ", and could bring revoked keys back. "
              + aggregate.validUntil().map(until -> "It is valid until " + until + ". ").orElse("")
              + "Metadata in use are valid longer: "
              + named(ends)
              + ". Get the newest one; where its publisher has shortened the validity, import it with `older=true`."
              + UNCHANGED);
    }
  }

  private static String named(List<String> texts) {
    String more = texts.size() > 5 ? ", and " + (texts.size() - 5) + " more" : "";
    return String.join(", ", texts.subList(0, Math.min(5, texts.size()))) + more;
  }

  /** What a job has found so far. */
  private static final class Collected {
    final Order order;
    final Map<String, Map<String, Object>> inUse;
    final List<ImportedEntry> imported = new ArrayList<>();
    final List<String> added = new ArrayList<>();
    final List<String> kept = new ArrayList<>();
    final List<String> skipped = new ArrayList<>();

    Collected(Order order, Map<String, Map<String, Object>> inUse) {
      this.order = order;
      this.inUse = inUse;
    }

    int done() {
      return imported.size() + kept.size() + skipped.size();
    }

    void report(Map<String, Object> result) {
      result.put("added", added.size());
      result.put("renewed", imported.size() - added.size());
      result.put("kept", kept.size());
      result.put("skipped", skipped.size());
      result.put("addedEntities", added.stream().limit(MOST_NAMED).toList());
      result.put("keptEntities", kept.stream().limit(MOST_NAMED).toList());
      result.put("skippedEntities", skipped.stream().limit(MOST_NAMED).toList());
    }
  }

  private void collect(MetadataAggregate aggregate, String entityId, Collected collected) {
    Order order = collected.order;
    Optional<Map<String, Object>> present = Optional.ofNullable(collected.inUse.get(entityId));
    if (order.wanted().isAll() && present.filter(entry -> !isOf(entry, order.folder())).isPresent()) {
      collected.kept.add(FetchedDocument.shown(entityId));
      return;
    }
    switch (document(aggregate, entityId, order)) {
      case Result.Refused<byte[], String>(String why) -> collected.skipped.add(FetchedDocument.shown(entityId) + ": " + why);
      case Result.Accepted<byte[], String>(byte[] document) -> {
        collected.imported.add(entry(order, entityId, present, document));
        if (present.isEmpty()) {
          collected.added.add(FetchedDocument.shown(entityId));
        }
      }
    }
  }

  private static boolean isOf(Map<String, Object> entry, String folder) {
    return entry.get("metadata") instanceof String file && file.startsWith(folder);
  }

  /** The entity's own document, if the registry will be able to use it. */
  private Result<byte[], String> document(MetadataAggregate aggregate, String entityId, Order order) {
    Optional<ProblemView> own = inspection.ownEntity(entityId, order.source(), order.scope());
    if (own.isPresent()) {
      return Result.refused(own.get().message());
    }
    return switch (aggregate.extract(entityId)) {
      case Result.Refused<byte[], SamlRefusal>(SamlRefusal refusal) -> Result.refused(refusal.detail());
      case Result.Accepted<byte[], SamlRefusal>(byte[] document) when document.length > NamedFiles.LARGEST ->
          Result.refused("has more than 1 MB");
      case Result.Accepted<byte[], SamlRefusal>(byte[] document) ->
          switch (codec.read(document, entityId, Optional.empty(), time.instant())) {
            case Result.Accepted<PartnerMetadata, SamlRefusal> usable -> Result.accepted(document);
            case Result.Refused<PartnerMetadata, SamlRefusal>(SamlRefusal refusal) -> Result.refused(refusal.detail());
          };
    };
  }

  private ImportedEntry entry(Order order, String entityId, Optional<Map<String, Object>> present, byte[] document) {
    String name = order.folder() + Sha256.hex(entityId).substring(0, 16) + ".xml";
    Map<String, @Nullable Object> value = new LinkedHashMap<>();
    value.put("entityId", entityId);
    present.ifPresent(value::putAll);
    value.put("metadata", name);
    value.putAll(order.wanted().settings().orElse(Map.of()));
    return entries.entry(order.realm(), LIST, entityId, value, Map.of("realms/" + name, document));
  }

  /** Returns the revision in use afterwards; empty if nothing was to be changed. */
  private Optional<Long> write(Order order, List<ImportedEntry> imported) throws JobFailed {
    ImportedEntries all = entries.together(order.realm(), LIST, imported);
    if (all.size() > NamedFiles.LARGEST) {
      String remedy = "choose fewer entities, or put some into another realm";
      throw new JobFailed("The realm's file would have " + all.size() + " bytes, and may have 1 MB: " + remedy + "." + UNCHANGED);
    }
    if (order.expected().isEmpty()) {
      List<Problem> problems = entries.problems(all, order.scope());
      if (!problems.isEmpty()) {
        throw invalid(problems);
      }
      return Optional.empty();
    }
    String reason = order.wanted().reason().orElse("Import of " + imported.size() + " partners from " + order.source());
    return switch (entries.putAll(all, order.expected().get(), order.scope(), order.administrator(), reason)) {
      case Change.Applied(var revision) -> Optional.of(revision.number());
      case Change.Unchanged(long number) -> Optional.of(number);
      case Change.Invalid(List<Problem> problems) -> throw invalid(problems);
      case Change.Conflict(long current) ->
          throw new JobFailed("Revision " + current + " came into use meanwhile. Start the job for that one." + UNCHANGED);
    };
  }

  private static JobFailed invalid(List<Problem> problems) {
    List<String> texts = problems.stream().map(one -> one.key() + " " + one.message() + " (" + one.remedy() + ")").toList();
    return new JobFailed("The configuration would have problems: " + named(texts) + "." + UNCHANGED);
  }

  /** Returns partners that came from the aggregate, which does not describe them any more. */
  private static List<String> gone(Collected collected, MetadataAggregate aggregate) {
    Set<String> described = new HashSet<>(aggregate.entities().stream().map(Entity::entityId).toList());
    return collected.inUse.entrySet().stream()
        .filter(entry -> isOf(Objects.requireNonNull(entry.getValue()), collected.order.folder()) && !described.contains(entry.getKey()))
        .map(entry -> FetchedDocument.shown(entry.getKey()))
        .sorted()
        .limit(MOST_NAMED)
        .toList();
  }
}
