package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.revision.LocalRevision;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.gateway.node.SharedState;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the store of revisions, which every node has. */
@Configuration(proxyBeanMethods = false)
class RevisionServices {

  @Bean
  RevisionStore revisionStore(Database database, SealingKey key, InstantSource time, ObjectProvider<SharedState> shared) {
    SharedState state = shared.getIfAvailable();
    return new RevisionStore(
        database, key, time, state == null ? LocalRevision.NONE : LocalRevision.in(state.snapshot(), state.isBegunAway()));
  }
}
