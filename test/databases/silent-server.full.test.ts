import { testLeavingClients } from './silent-server.ts';

testLeavingClients({ isSilenced: true });
