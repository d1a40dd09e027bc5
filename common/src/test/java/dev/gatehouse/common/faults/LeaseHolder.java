package dev.gatehouse.common.faults;

import dev.gatehouse.common.postgres.PostgresDatabase;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The node that does most of the scheduled work for all. */
final class LeaseHolder {

  private LeaseHolder() {}

  static SiteNode of(Site site) throws Exception {
    try (PostgresDatabase database = PostgresDatabase.open(site.postgres().config())) {
      int number =
          JdbcClient.create(database.dataSource())
              .sql(
                  """
                  select number from node join lease on lease.holder = node.instance where lease.ends_at > now()
                  group by number order by count(*) desc, number limit 1
                  """)
              .query(Integer.class)
              .single();
      return site.nodes().get(number);
    }
  }
}
