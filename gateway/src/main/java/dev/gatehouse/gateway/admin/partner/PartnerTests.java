package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.OutboundHttp.DatedAnswer;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.registry.EndpointRule;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataInspector;
import dev.gatehouse.common.saml.metadata.MetadataOutline;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.EndpointView;
import dev.gatehouse.gateway.admin.partner.PartnerTestView.CheckView;
import dev.gatehouse.gateway.admin.partner.PartnerTestView.Verdict;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Tests configured partners: reads their metadata again as the registry does, and calls the servers in them. Endpoints are called at
 * their root only, so that no protocol message arrives anywhere; addresses that are not public are left out, because a partner's
 * metadata choose them.
 */
final class PartnerTests {

  private static final String ACCEPT = "application/samlmetadata+xml, application/xml;q=0.9, */*;q=0.1";
  private static final Duration SOON = Duration.ofDays(30);
  private static final Duration MOST_SKEW = Duration.ofSeconds(60);
  private static final int MOST_SERVERS = 10;

  private final MetadataInspector inspector = new MetadataInspector();
  private final MetadataCodec codec;
  private final OutboundHttp metadataHttp;
  private final PublicHttp http;
  private final InstantSource time;

  /** @param metadataHttp the client of the registry */
  PartnerTests(MetadataCodec codec, OutboundHttp metadataHttp, PublicHttp http, InstantSource time) {
    this.codec = codec;
    this.metadataHttp = metadataHttp;
    this.http = http;
    this.time = time;
  }

  /**
   * Tests a partner; takes at most some 15 seconds. Its metadata are read wherever the configuration has them.
   *
   * @param rule says which endpoints count
   * @param permitted servers that are called
   */
  PartnerTestView test(Partner partner, EndpointRule rule, Destinations permitted) {
    List<CheckView> checks = new ArrayList<>();
    Optional<PartnerMetadata> read = metadata(partner, checks).map(whole -> counting(whole, rule, source(partner), checks));
    Optional<PartnerMetadata> held =
        partner.metadata() instanceof MetadataState.Usable usable ? Optional.of(usable.metadata()) : Optional.empty();
    if (read.isPresent() && held.isPresent() && !MetadataDifferences.of(held.get(), read.get()).isEmpty()) {
      String detail = "the metadata in use differ from those at their source, which are read again in time";
      checks.add(CheckView.of("metadata", "in use", Verdict.WARNING, detail));
    }
    read.or(() -> held)
        .ifPresent(
            metadata -> {
              validity(metadata, checks);
              PartnerCertificateView.of(metadata).forEach(one -> checks.add(certificate(one)));
              checks.addAll(servers(metadata, permitted));
            });
    return PartnerTestView.of(partner.entityId(), time.instant(), checks);
  }

  private Optional<PartnerMetadata> metadata(Partner partner, List<CheckView> checks) {
    String source = source(partner);
    return switch (partner.config().metadata()) {
      case MetadataSource.Url(URI url, Optional<Path> verifyWith, Duration refresh) ->
          switch (metadataHttp.get(url, ACCEPT)) {
            case Answer.Received(int status, byte[] body, Optional<String> location) when status == 200 ->
                read(partner, source, body, verifyWith, checks);
            case Answer.Received(int status, byte[] body, Optional<String> location) -> failed(source, "answers " + status, checks);
            case Answer.Failed(Cause cause, String problem) -> failed(source, FetchedDocument.why(cause, problem), checks);
          };
      case MetadataSource.File(Path path, Optional<Path> verifyWith) -> {
        try {
          yield read(partner, source, Files.readAllBytes(path), verifyWith, checks);
        } catch (IOException e) {
          yield failed(source, "cannot be read", checks);
        }
      }
    };
  }

  /** Where its metadata come from, as checks name it. */
  private static String source(Partner partner) {
    return switch (partner.config().metadata()) {
      case MetadataSource.Url fetched -> fetched.url().toString();
      case MetadataSource.File file -> String.valueOf(file.path().getFileName());
    };
  }

  private static Optional<PartnerMetadata> failed(String source, String why, List<CheckView> checks) {
    checks.add(CheckView.of("metadata", source, Verdict.FAILED, why));
    return Optional.empty();
  }

  private Optional<PartnerMetadata> read(
      Partner partner, String source, byte[] document, Optional<Path> verifyWith, List<CheckView> checks) {
    Optional<X509Certificate> certificate;
    try {
      certificate =
          verifyWith.isPresent() ? Optional.of(Pem.certificates(Files.readAllBytes(verifyWith.get())).getFirst()) : Optional.empty();
    } catch (IOException | GeneralSecurityException e) {
      return failed(source, "verifyWith cannot be read", checks);
    }
    signature(partner, source, document, certificate).ifPresent(checks::add);
    return switch (codec.read(document, partner.entityId(), certificate, time.instant())) {
      case Result.Accepted<PartnerMetadata, SamlRefusal>(PartnerMetadata metadata) -> {
        checks.add(CheckView.of("metadata", source, Verdict.PASSED, "can be read"));
        yield Optional.of(metadata);
      }
      case Result.Refused<PartnerMetadata, SamlRefusal>(SamlRefusal refusal) ->
          failed(source, refusal.reason() + ": " + refusal.detail(), checks);
    };
  }

  private static PartnerMetadata counting(PartnerMetadata read, EndpointRule rule, String source, List<CheckView> checks) {
    PartnerMetadata counting = rule.applied(read);
    counting.notes().forEach(note -> checks.add(CheckView.of("metadata", source, Verdict.WARNING, note)));
    return counting;
  }

  private Optional<CheckView> signature(Partner partner, String source, byte[] document, Optional<X509Certificate> certificate) {
    return switch (inspector.outline(document, Optional.of(partner.entityId()), certificate)) {
      case Result.Refused<MetadataOutline, SamlRefusal> refused -> Optional.empty();
      case Result.Accepted<MetadataOutline, SamlRefusal>(MetadataOutline outline) ->
          Optional.of(
              switch (outline.signature().verdict()) {
                case VERIFIED -> CheckView.of("signature", source, Verdict.PASSED, "made by the key of verifyWith");
                case INTACT ->
                    CheckView.of(
                        "signature", source, Verdict.PASSED,
                        "nothing was changed since it was signed; who signed it is not checked without verifyWith");
                case ABSENT, UNVERIFIED, UNSUPPORTED ->
                    CheckView.of("signature", source, Verdict.SKIPPED, outline.signature().detail().orElse("the metadata are not signed"));
                case INVALID ->
                    CheckView.of("signature", source, Verdict.FAILED, outline.signature().detail().orElse("the signature is wrong"));
              });
    };
  }

  private void validity(PartnerMetadata metadata, List<CheckView> checks) {
    Instant now = time.instant();
    metadata
        .validUntil()
        .ifPresent(
            until -> {
              Verdict verdict = until.isBefore(now.plus(Duration.ofDays(1))) ? Verdict.WARNING : Verdict.PASSED;
              checks.add(CheckView.of("validity", until.toString(), verdict, "the metadata are valid until then"));
            });
  }

  private CheckView certificate(PartnerCertificateView one) {
    Instant now = time.instant();
    String subject = one.role() + " " + one.use() + " " + one.subject();
    if (!one.inUse()) {
      return CheckView.of("certificate", subject, Verdict.SKIPPED, "its key is not used here: " + one.key());
    }
    if (now.isAfter(one.expiresAt())) {
      String detail = "has ended at " + one.expiresAt() + "; its key counts as long as the metadata list it";
      return CheckView.of("certificate", subject, Verdict.WARNING, detail);
    }
    if (now.isBefore(one.startsAt())) {
      return CheckView.of("certificate", subject, Verdict.WARNING, "begins at " + one.startsAt() + ", or the clock here is wrong");
    }
    boolean isSoon = one.expiresAt().isBefore(now.plus(SOON));
    return CheckView.of("certificate", subject, isSoon ? Verdict.WARNING : Verdict.PASSED, "ends at " + one.expiresAt());
  }

  /** Calls each server once. */
  private List<CheckView> servers(PartnerMetadata metadata, Destinations permitted) {
    List<Origin> origins =
        EndpointView.of(metadata).stream()
            .map(endpoint -> Origin.of(URI.create(endpoint.location())))
            .distinct()
            .limit(MOST_SERVERS)
            .toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<List<CheckView>>> running =
          origins.stream().map(origin -> CompletableFuture.supplyAsync(() -> server(origin, permitted), threads)).toList();
      return running.stream().flatMap(one -> one.join().stream()).toList();
    }
  }

  private List<CheckView> server(Origin origin, Destinations permitted) {
    String subject = origin.toString();
    Optional<Problem> refusal = permitted.refusal(subject);
    if (refusal.isPresent()) {
      return List.of(CheckView.of("endpoint", subject, Verdict.SKIPPED, refusal.get().message()));
    }
    DatedAnswer dated = http.dated(URI.create(subject + "/"), "*/*");
    CheckView reached =
        switch (dated.answer()) {
          case Answer.Received(int status, byte[] body, Optional<String> location) ->
              CheckView.of("endpoint", subject, Verdict.PASSED, "answers" + (origin.isSecure() ? "; its TLS certificate is accepted" : ""));
          case Answer.Failed(Cause cause, String problem) when cause == Cause.TOO_LARGE ->
              CheckView.of("endpoint", subject, Verdict.PASSED, "answers");
          case Answer.Failed(Cause cause, String problem) when cause == Cause.ADDRESS_REFUSED ->
              CheckView.of("endpoint", subject, Verdict.SKIPPED, cause.text());
          case Answer.Failed(Cause cause, String problem) ->
              CheckView.of("endpoint", subject, Verdict.FAILED, FetchedDocument.why(cause, problem));
        };
    return dated.serverTime().map(said -> List.of(reached, clock(subject, said))).orElse(List.of(reached));
  }

  private CheckView clock(String subject, Instant said) {
    Duration skew = Duration.between(time.instant(), said);
    boolean isFar = skew.abs().compareTo(MOST_SKEW) > 0;
    String detail =
        isFar
            ? "its clock is " + skew.abs().toSeconds() + " s " + (skew.isNegative() ? "behind" : "ahead of")
                + " ours: messages will be refused as too old or too new"
            : "its clock agrees with ours";
    return CheckView.of("clock", subject, isFar ? Verdict.WARNING : Verdict.PASSED, detail);
  }
}
