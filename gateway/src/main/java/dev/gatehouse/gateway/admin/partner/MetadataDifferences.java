package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.EndpointView;
import dev.gatehouse.gateway.admin.revision.RevisionViews.FieldView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What differs between the metadata of a partner in use and others: the keys and addresses that people log in with. */
final class MetadataDifferences {

  private MetadataDifferences() {}

  static List<FieldView> of(PartnerMetadata before, PartnerMetadata after) {
    List<FieldView> all = new ArrayList<>();
    one(all, "displayName", before.displayName(), after.displayName());
    one(all, "validUntil", before.validUntil().map(Instant::toString), after.validUntil().map(Instant::toString));
    many(all, "certificates", certificates(before), certificates(after));
    many(all, "endpoints", endpoints(before), endpoints(after));
    return List.copyOf(all);
  }

  private static List<String> certificates(PartnerMetadata metadata) {
    return PartnerCertificateView.of(metadata).stream()
        .map(one -> one.role() + " " + one.use() + " " + one.subject() + " " + one.fingerprint())
        .toList();
  }

  private static List<String> endpoints(PartnerMetadata metadata) {
    return EndpointView.of(metadata).stream()
        .map(one -> String.join(" ", one.role(), one.service(), one.binding(), one.location(), one.responseLocation().orElse("")).strip())
        .toList();
  }

  private static void one(List<FieldView> to, String field, Optional<String> before, Optional<String> after) {
    if (!before.equals(after)) {
      to.add(new FieldView(field, before, after));
    }
  }

  private static void many(List<FieldView> to, String field, List<String> before, List<String> after) {
    before.stream()
        .filter(one -> !after.contains(one))
        .forEach(gone -> to.add(new FieldView(field, Optional.of(gone), Optional.empty())));
    after.stream()
        .filter(one -> !before.contains(one))
        .forEach(fresh -> to.add(new FieldView(field, Optional.empty(), Optional.of(fresh))));
  }
}
