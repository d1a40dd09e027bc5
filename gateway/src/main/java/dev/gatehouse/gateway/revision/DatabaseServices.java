package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.Announcements.Topic;
import dev.gatehouse.common.postgres.NodeTable;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.node.NodeDrain;
import dev.gatehouse.gateway.node.SharedState;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the realms of a node whose configuration is in its database. */
@Configuration(proxyBeanMethods = false)
@Import(RevisionServices.class)
public class DatabaseServices {

  @Bean
  StoredRealms storedRealms(
      ConfigurationFiles files,
      Node node,
      RevisionStore store,
      JsonLinesAuditLog audit,
      InstantSource time,
      NodeDrain drain,
      ObjectProvider<SharedState> shared)
      throws ConfigurationInvalid {
    StoredRealms realms = StoredRealms.open(files, node, store, audit, time);
    shared.ifAvailable(
        state -> {
          state.announcements().on(Topic.REVISION, realms::follow);
          state.nodes().begin(realms::served, new NodeTable.Drain(drain::isDraining, drain::drain));
        });
    return realms;
  }

  @Bean
  RealmsInUse realms(StoredRealms stored) {
    return stored.inUse();
  }

  @Bean
  ConfigurationControl configurationControl(StoredRealms realms, AdministratorGrants grants) {
    return new StoredConfiguration(realms, grants);
  }
}
