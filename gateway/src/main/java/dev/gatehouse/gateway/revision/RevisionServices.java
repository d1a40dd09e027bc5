package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.revision.RevisionStore;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the store of revisions, which every node has. */
@Configuration(proxyBeanMethods = false)
class RevisionServices {

  @Bean
  RevisionStore revisionStore(Database database, SealingKey key, InstantSource time) {
    return new RevisionStore(database, key, time);
  }
}
