package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminViews;
import java.util.List;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for revisions and secrets. */
@Configuration(proxyBeanMethods = false)
public class RevisionAdminConfig {

  @Bean
  RevisionChanges revisionChanges(
      RevisionStore revisions, ConfigurationControl control, Optional<StoredRealms> stored, AdminAudit audit) {
    return new RevisionChanges(revisions, control, stored, audit);
  }

  @Bean
  RevisionEndpoint revisionEndpoint(
      RevisionStore revisions, ConfigurationControl control, RevisionChanges changes, AdminAudit audit) {
    return new RevisionEndpoint(revisions, control, changes, audit);
  }

  @Bean
  SecretEndpoint secretEndpoint(RevisionStore revisions, RevisionChanges changes, AdminAudit audit) {
    return new SecretEndpoint(revisions, changes, audit);
  }

  @Bean
  AdminViews revisionViews() {
    return new AdminViews(
        List.of(
            RevisionViews.RevisionView.class,
            RevisionViews.RevisionPage.class,
            RevisionViews.FilesView.class,
            RevisionViews.FileView.class,
            RevisionViews.DiffView.class,
            RevisionViews.ProposedFilesView.class,
            RevisionViews.ProposedFileView.class,
            RevisionViews.ProposedSecretView.class,
            RevisionViews.PlanView.class,
            RevisionViews.SubjectView.class,
            RevisionViews.FieldView.class,
            RevisionViews.FileDiffView.class,
            SecretEndpoint.SecretView.class,
            SecretEndpoint.SecretsView.class,
            SecretEndpoint.SecretValueView.class));
  }
}
