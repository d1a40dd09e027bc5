package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminViews;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for revisions. */
@Configuration(proxyBeanMethods = false)
public class RevisionAdminConfig {

  @Bean
  RevisionEndpoint revisionEndpoint(RevisionStore revisions, ConfigurationControl control, AdminAudit audit) {
    return new RevisionEndpoint(revisions, control, audit);
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
            RevisionViews.PlanView.class,
            RevisionViews.SubjectView.class,
            RevisionViews.FieldView.class,
            RevisionViews.FileDiffView.class));
  }
}
